/// Checks names and passwords for all applications, so that guessing is slow and a right password is
/// not hashed again for each request (Servlet 6.1 §13.3, RFC 7616 §5).
///
/// Entry type: [dev.serval.servlet.password.Verifier]. It limits how many passwords are hashed at a
/// time, delays names and networks whose logins failed, remembers right credentials for a short
/// time, and makes the nonces of DIGEST.
///
/// Owner threads: Workers, which may wait. What they share is a concurrent map, a counter or under a
/// short lock that no loop takes. Depends on `users` for the accounts, on `request` for the identity that
/// a request gets, and on `codec` of the engine for the keys of clients.
@NullMarked
package dev.serval.servlet.password;

import org.jspecify.annotations.NullMarked;
