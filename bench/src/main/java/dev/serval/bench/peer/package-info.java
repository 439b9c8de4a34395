/// Servers as processes: where they run, the files that describe them, and the kernel's counters of
/// them. Most are described by a file, [dev.serval.bench.peer.FilePeer]. Serval, the engine with a
/// handler, and gateways with what is behind them have classes of their own.
///
/// Entry types: [dev.serval.bench.peer.Stage] and [dev.serval.bench.peer.Peers]. Owner thread: the
/// caller's; only [dev.serval.bench.peer.Children] is also called by the shutdown hook. Linux only.
/// Depends on `hello`, which [dev.serval.bench.peer.HelloPeer] starts.
@NullMarked
package dev.serval.bench.peer;

import org.jspecify.annotations.NullMarked;
