/// TLS 1.3 and 1.2 between a socket and its connection (RFC 8446, RFC 5246). It moves bytes and knows
/// nothing of HTTP, except how to tell a client that has sent plain HTTP.
///
/// Entry types: [dev.serval.tls.TlsProvider], which makes the engines of a listener's connections,
/// and [dev.serval.tls.JdkTls], the one of the JDK. Another module may bring that of another library.
/// `TlsTransport` lies over the transport of a socket. Owner thread: a transport belongs to the loop
/// of its connection; only the work of a handshake that takes long runs on `HandshakeThreads`.
/// Depends on `loop` and `net`, and on `codec` for the keys of clients.
@NullMarked
package dev.serval.tls;

import org.jspecify.annotations.NullMarked;
