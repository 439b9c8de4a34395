/// A thin layer for people who write applications: paths with parameters, an exchange with short
/// calls, filters, mapped exceptions and server-sent events. It stands on the contract of
/// `dev.serval.http` and adds nothing to it; what it cannot do, a [dev.serval.handler.Handler] can.
///
/// Entry types: [dev.serval.app.App], and [dev.serval.app.AppExchange] that its handlers get. Owner
/// threads: an [dev.serval.app.App] is immutable and serves every loop at once; an exchange belongs
/// to the thread that its handler runs on, which is a Worker unless the handler asked for the loop.
/// Sources: RFC 9110 (methods, redirects), RFC 6265 (cookies), the URL standard (forms), the HTML
/// standard (server-sent events). Depends on `http`, `blocking` and `file`.
///
/// Unlike the engine below, this layer throws: [dev.serval.app.HttpException] is how a handler, or a
/// call of the exchange that finds the request unusable, ends a request with an error answer.
@NullMarked
package dev.serval.app;

import org.jspecify.annotations.NullMarked;
