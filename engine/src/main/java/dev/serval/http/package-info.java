/// RFC 9110 in types, and the contract between connections and handlers: requests, responses,
/// fields, bodies, exchanges, limits and counters. No I/O, no thread, no clock.
///
/// Entry types: [dev.serval.http.Handler] and [dev.serval.http.Exchange]. Owner thread: an exchange
/// and all below it belong to the event loop of its connection; the rest is immutable or says
/// otherwise. Source: RFC 9110. Depends on nothing.
@NullMarked
package dev.serval.http;

import org.jspecify.annotations.NullMarked;
