/// Servers as processes: where they run, one class for each kind of server, and the kernel's
/// counters of them.
///
/// Entry types: [dev.serval.bench.peer.Stage] and [dev.serval.bench.peer.Peer]. Owner thread: the
/// caller's; only [dev.serval.bench.peer.Children] is also called by the shutdown hook. Linux only.
/// Depends on `hello`, which [dev.serval.bench.peer.HelloPeer] starts.
@NullMarked
package dev.serval.bench.peer;

import org.jspecify.annotations.NullMarked;
