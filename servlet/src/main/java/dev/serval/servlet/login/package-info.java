/// How a user logs in to an application: BASIC (RFC 7617), DIGEST (RFC 7616) and FORM (Servlet 6.1
/// §13.6.3), and how the login stays in the session.
///
/// Entry types: [dev.serval.servlet.login.Authenticator], which is one of the three schemes, and
/// [dev.serval.servlet.login.SessionLogin]. All of it runs on the Worker of the request. Depends on
/// `password` for the checks, on `request` and `session`, and on `map` and `descriptor` for the
/// pages of FORM.
@NullMarked
package dev.serval.servlet.login;

import org.jspecify.annotations.NullMarked;
