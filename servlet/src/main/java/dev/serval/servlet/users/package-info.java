/// The users of a server: who they are, their roles, and hashes of their passwords (Servlet 6.1
/// §13.3, RFC 8018 §5.2).
///
/// Entry types: [dev.serval.servlet.users.Users], which finds a user, with an implementation for a
/// file, a database and memory; and [dev.serval.servlet.users.PasswordHash]. All calls may block,
/// so only Workers and other threads that may wait call them. Depends on no other package.
@NullMarked
package dev.serval.servlet.users;

import org.jspecify.annotations.NullMarked;
