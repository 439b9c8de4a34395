/// Who may use which part of an application: security constraints (Servlet 6.1 §13.8).
///
/// Entry types: [dev.serval.servlet.security.SecurityPlan], which makes the guard of an application
/// from what it declares; [dev.serval.servlet.security.AppGuard], which checks its requests; and
/// [dev.serval.servlet.security.ConstraintTable], which says what a path demands.
///
/// Owner threads: a loop asks [dev.serval.servlet.security.AppGuard] only whether a path is
/// constrained, which reads an immutable table. All checks run on the Worker of the request, where
/// they may wait. Depends on `login` and `password` for the users, and on `descriptor`, `map` and
/// `request`.
@NullMarked
package dev.serval.servlet.security;

import org.jspecify.annotations.NullMarked;
