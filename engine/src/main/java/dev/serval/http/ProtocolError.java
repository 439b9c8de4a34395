package dev.serval.http;

/// The peer broke a rule: what it did, and how it is answered. A value, never thrown; codecs hold
/// theirs as constants, so that refusing costs no allocation. Immutable.
///
/// @param status the answer it gets, while one can still be given
/// @param what what was wrong, for the error page and the log: a clause without the peer's bytes
/// @param section the rule, such as `RFC 9112 §3.2`
public record ProtocolError(Status status, String what, String section) {
    @Override
    public String toString() {
        return status + ": " + what + " (" + section + ")";
    }
}
