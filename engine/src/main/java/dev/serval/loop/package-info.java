/// Event loops: threads and time, never bytes. A loop polls, acts on what is ready, fires due
/// deadlines and carries out commands of other threads. It repeats these steps for ever.
///
/// Entry type: [dev.serval.loop.EventLoop]. Owner thread: a loop belongs to its thread, except for
/// the methods marked "Any thread". Depends on nothing.
@NullMarked
package dev.serval.loop;

import org.jspecify.annotations.NullMarked;
