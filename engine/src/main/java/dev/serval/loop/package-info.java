/// Event loops: threads and time, never bytes. A loop polls, lets what is ready act, fires what is
/// due and carries out what other threads asked for, in this order, for ever.
///
/// Entry type: [dev.serval.loop.EventLoop]. Owner thread: all of a loop but
/// [dev.serval.loop.EventLoop#execute] belongs to its thread. Depends on nothing.
@NullMarked
package dev.serval.loop;

import org.jspecify.annotations.NullMarked;
