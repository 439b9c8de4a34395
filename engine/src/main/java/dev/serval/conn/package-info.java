/// Drives a connection: the only place where codecs meet sockets. Reads requests, calls the handler,
/// sends what it answers, keeps every deadline.
///
/// Entry types: [dev.serval.conn.HttpSettings], which a server makes once, and
/// [dev.serval.conn.HttpLoop], the factory of drivers on one loop. Owner thread: a connection and all
/// below it belong to their loop. Source: RFC 9112. Depends on `loop`, `net`, `http`, `http1`.
@NullMarked
package dev.serval.conn;

import org.jspecify.annotations.NullMarked;
