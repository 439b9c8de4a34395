/// Sockets, transports and buffers: bytes, never HTTP.
///
/// A [dev.serval.net.NetLoop] is an event loop with all of its sockets. A
/// [dev.serval.net.Listener] accepts, a [dev.serval.net.Connection] moves bytes and calls its
/// [dev.serval.net.Driver], which knows what they mean. Entry types: those. Owner thread: everything
/// belongs to the loop of its connection, but for what is said to be open to any thread. Depends on
/// `loop`.
@NullMarked
package dev.serval.net;

import org.jspecify.annotations.NullMarked;
