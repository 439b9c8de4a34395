/// Drives connections. It reads requests, calls the exchange, frames the answers and enforces every
/// deadline. Only here do codecs meet sockets.
///
/// Entry types: [dev.serval.conn.Protocol], the protocol of a listener's connections, and
/// [dev.serval.conn.Http1]. These two are the API; the engine's modules may implement the first.
/// `Entrance` accepts connections for every protocol, and [dev.serval.conn.TlsProtocol] encrypts
/// them. Owner thread: a connection and everything in it belong to their loop. Source: RFC 9112.
/// Depends on `loop`, `net`, `tls`, `http`, `handler`, `policy`, `exchange` and `http1`.
@NullMarked
package dev.serval.conn;

import org.jspecify.annotations.NullMarked;
