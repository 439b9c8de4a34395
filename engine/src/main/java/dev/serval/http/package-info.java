/// The vocabulary of RFC 9110: methods, status codes, fields, targets, and the heads of messages.
/// No I/O, no thread, no clock.
///
/// Entry types: [dev.serval.http.RequestHead] and [dev.serval.http.ResponseHead]. Owner thread: the
/// event loop of the connection owns a request's head. Other types are immutable unless their doc
/// says otherwise. The writers are no API: only codecs of the engine have the key that makes them.
/// Source: RFC 9110. Depends on `codec`.
@NullMarked
package dev.serval.http;

import org.jspecify.annotations.NullMarked;
