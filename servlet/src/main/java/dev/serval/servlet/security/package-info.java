/// Who may use an application: security constraints, login and logout (Servlet 6.1 §13, RFC 9110
/// §11, RFC 7617 for BASIC, RFC 7616 for DIGEST).
///
/// Entry types: [dev.serval.servlet.security.AppGuard], which checks the requests of one
/// application; [dev.serval.servlet.security.ConstraintTable], which says what a path demands; and
/// [dev.serval.servlet.security.Verifier], which checks passwords for all applications.
///
/// Owner threads: a loop asks [dev.serval.servlet.security.AppGuard] only whether a path is
/// constrained, which reads an immutable table. All checks run on the Worker of the request, where
/// they may wait. What requests share is a concurrent map, a counter or under a short lock that no
/// loop takes. Depends on `descriptor`, `map`, `users`, `session` and `request`.
@NullMarked
package dev.serval.servlet.security;

import org.jspecify.annotations.NullMarked;
