/// Implements the client's side of HTTP/1.1 for everything in bench and soak that sends requests: a
/// connection that blocks, an event loop with connections that do not, and the reader of answers that
/// both share.
///
/// Entry types: [dev.serval.bench.client.HttpConnection] and
/// [dev.serval.bench.client.LoadEngine]. Owner thread: one thread at a time uses an object.
/// Source: RFC 9112, limited to what the servers send: content with a Content-Length, and if no
/// certain length is expected also chunked content. Both kinds of connections may use TLS. May depend
/// on `loop` and `net` of the engine.
@NullMarked
package dev.serval.bench.client;

import org.jspecify.annotations.NullMarked;
