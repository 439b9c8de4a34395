/// The cookies of Servlet: the Cookie field of a request and the Set-Cookie field of a response
/// (RFC 6265, Servlet 6.1 §3.9).
///
/// Entry types: [dev.serval.servlet.cookie.RequestCookies] and
/// [dev.serval.servlet.cookie.SetCookie]. Both are pure and owned by no thread. Depends on the
/// engine's `http` package only. The engine's own cookie types are not used: they refuse where
/// Servlet skips, and check less of what applications may set here.
@NullMarked
package dev.serval.servlet.cookie;

import org.jspecify.annotations.NullMarked;
