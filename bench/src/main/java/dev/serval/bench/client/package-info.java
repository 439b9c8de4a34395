/// HTTP/1.1 from the client's side, for everything that asks a server for something: one connection
/// that blocks, and the reader of answers that non-blocking clients share with it.
///
/// Entry types: [dev.serval.bench.client.HttpConnection] and
/// [dev.serval.bench.client.ResponseReader]. Owner thread: whichever uses the object, one at a time.
/// Source: RFC 9112, of which only what the measured servers send is understood: contents with a
/// length. May depend on nothing.
@NullMarked
package dev.serval.bench.client;

import org.jspecify.annotations.NullMarked;
