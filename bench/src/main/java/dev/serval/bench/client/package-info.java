/// Implements the client's side of HTTP/1.1 for everything in bench that sends requests: a
/// connection that blocks, and a reader of answers that non-blocking clients share with it.
///
/// Entry types: [dev.serval.bench.client.HttpConnection] and
/// [dev.serval.bench.client.ResponseReader]. Owner thread: one thread at a time uses an object.
/// Source: RFC 9112, limited to what the servers send: content with a Content-Length, and to
/// `HttpConnection` also chunked content. May depend on nothing.
@NullMarked
package dev.serval.bench.client;

import org.jspecify.annotations.NullMarked;
