package dev.serval.http;

/// A rule that the peer broke, and the answer to it. A value that is never thrown. Codecs keep
/// theirs as constants, so a refusal allocates nothing. Immutable.
///
/// @param status the status of the answer, if one can still be sent
/// @param what the fault, for the error page and the log: a clause that has none of the peer's
///     bytes
/// @param section the broken rule, such as `RFC 9112 §3.2`
public record ProtocolError(Status status, String what, String section) {
    @Override
    public String toString() {
        return status + ": " + what + " (" + section + ")";
    }
}
