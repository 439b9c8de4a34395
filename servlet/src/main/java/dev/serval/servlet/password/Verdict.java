package dev.serval.servlet.password;

import dev.serval.servlet.users.Account;

/// The result of a check of credentials. Immutable.
public sealed interface Verdict {
    /// The credentials are right.
    record Accepted(Account account) implements Verdict {}

    /// The name or the password is wrong.
    record Rejected() implements Verdict {}

    /// The nonce of DIGEST is too old, or its count was used before, but the password is right.
    record Stale() implements Verdict {}

    /// Too many checks wait, so the client must try again later.
    ///
    /// @param guessing whether the reason are failures of this name or address; if not, the server
    ///     is busy
    record Refused(boolean guessing) implements Verdict {}

    /// The users cannot be read now.
    record Unavailable() implements Verdict {}
}
