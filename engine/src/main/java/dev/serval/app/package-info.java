/// A thin layer for applications: paths with parameters, an exchange with short calls, filters,
/// mapped exceptions and server-sent events. It is built on the contract of `dev.serval.handler`
/// and adds nothing to it. For anything that it cannot do, use a [dev.serval.handler.Handler].
///
/// Entry types: [dev.serval.app.App], and [dev.serval.app.AppExchange], which its handlers receive.
/// Owner threads: an [dev.serval.app.App] is immutable and serves every loop at once. An exchange
/// belongs to the thread that its handler runs on, which is a Worker unless the handler was
/// registered for the loop. Sources: RFC 9110 (methods, redirects), RFC 6265 (cookies), the URL
/// standard (forms), the HTML standard (server-sent events). Depends on `http`, `handler`,
/// `exchange`, `blocking` and `file`.
///
/// Unlike the engine below it, this layer throws. A handler ends a request with an error response
/// by an [dev.serval.app.HttpException]. So does a call of the exchange that finds the request
/// unusable.
@NullMarked
package dev.serval.app;

import org.jspecify.annotations.NullMarked;
