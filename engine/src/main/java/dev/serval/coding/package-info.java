/// Content codings (RFC 9110 §8.4): which of them a client accepts, and which content is worth one.
/// [AcceptEncoding] reads what a client accepts, [Compression] says what a server codes, [CodedHead]
/// decides for a response, and [GzipStream] compresses. No I/O. Nothing here knows an exchange, a file
/// or a connection. Depends on `http` and `codec`.
@NullMarked
package dev.serval.coding;

import org.jspecify.annotations.NullMarked;
