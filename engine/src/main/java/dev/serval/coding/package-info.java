/// Content codings (RFC 9110 §8.4): which of them a client accepts, and which content is worth one.
/// [AcceptEncoding] reads what a client accepts, and [Compression] says what a server codes. Nothing
/// here knows an exchange, a file or a connection. Depends on the vocabulary of HTTP.
@NullMarked
package dev.serval.coding;

import org.jspecify.annotations.NullMarked;
