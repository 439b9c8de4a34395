/// Servers as processes: where they run, one class for each that takes part, and what the kernel
/// counts about them.
///
/// Entry types: [dev.serval.bench.peer.Stage] and [dev.serval.bench.peer.Peer]. Owner thread: the
/// caller's; [dev.serval.bench.peer.Children] alone is also called by the shutdown hook. Linux only.
/// Depends on `hello`, which one of them starts.
@NullMarked
package dev.serval.bench.peer;

import org.jspecify.annotations.NullMarked;
