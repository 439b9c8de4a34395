/// Drives a connection: the only place where codecs meet sockets. Reads requests, calls the exchange,
/// frames what it answers, keeps every deadline.
///
/// Entry types: [dev.serval.conn.Protocol], what the connections of a listener speak, and
/// [dev.serval.conn.Http1]. Owner thread: a connection and all below it belong to their loop. Source:
/// RFC 9112. Depends on `loop`, `net`, `http`, `handler`, `policy`, `exchange` and `http1`.
@NullMarked
package dev.serval.conn;

import org.jspecify.annotations.NullMarked;
