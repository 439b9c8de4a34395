/// Handles sockets, transports and buffers. It moves bytes and knows nothing of HTTP.
///
/// A [dev.serval.net.NetLoop] is an event loop with all of its sockets. A [dev.serval.net.Listener]
/// accepts connections. A [dev.serval.net.Connection] moves bytes and calls its
/// [dev.serval.net.Driver], which interprets them. These are the entry types. Owner thread:
/// everything belongs to the loop of its connection, unless its documentation says "any thread".
/// Depends on `loop`. The kinds of sockets are in packages of their own, which depend on this one.
@NullMarked
package dev.serval.net;

import org.jspecify.annotations.NullMarked;
