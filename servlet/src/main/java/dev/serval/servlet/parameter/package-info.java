/// The parameters of a request, from its query string and its form content (Servlet 6.1 §3.1), and
/// the fields that decide how they are read: Content-Type (RFC 9110 §8.3) and Accept-Language
/// (§12.5.4).
///
/// Entry types: [dev.serval.servlet.parameter.Parameters],
/// [dev.serval.servlet.parameter.MediaType] and [dev.serval.servlet.parameter.AcceptLanguage].
/// `Parameters` is written by the one thread that handles the request; after that, any thread may
/// read it. Depends on the engine's `http` package only.
@NullMarked
package dev.serval.servlet.parameter;

import org.jspecify.annotations.NullMarked;
