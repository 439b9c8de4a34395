/// The parts of `multipart/form-data` content (RFC 7578, RFC 2046 §5.1, Servlet 6.1 §3.2).
///
/// Entry types: [dev.serval.servlet.multipart.Parts], which reads the content of a request, and
/// [dev.serval.servlet.multipart.Spool], the folder for large parts that an application's requests
/// share. `MultipartParser` is pure; a `Parts` is owned by the thread that handles the request; a
/// `Spool` is used by all threads. Depends on the engine's `http` package, and on `descriptor` and
/// `parameter`.
@NullMarked
package dev.serval.servlet.multipart;

import org.jspecify.annotations.NullMarked;
