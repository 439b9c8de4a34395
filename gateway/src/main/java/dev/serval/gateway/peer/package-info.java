/// Pools of connections to applications in other processes, for every protocol that serves one
/// request at a time on a connection. No protocol is known here.
///
/// Entry types: [dev.serval.gateway.peer.PeerPool] for handlers, and
/// [dev.serval.gateway.peer.PeerRequest], which each protocol implements. Owner threads: everything
/// of one request happens on the loop of its exchange; a peer belongs to one loop at a time and
/// moves to the loop that needs it. The queue of waiting requests is shared and takes no lock.
/// Depends on `exchange`, `net` and `loop` of the engine. See docs/internals/gateway.md.
@NullMarked
package dev.serval.gateway.peer;

import org.jspecify.annotations.NullMarked;
