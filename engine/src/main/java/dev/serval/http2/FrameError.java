package dev.serval.http2;

/// A rule of HTTP/2 that the peer broke, and the code of the frame that ends the connection or the
/// stream. A value that is never thrown; all are constants. Immutable.
///
/// @param code the code of GOAWAY or RST_STREAM
/// @param what the fault, for the log and the counters: a clause without any of the peer's bytes
/// @param section the broken rule, such as `RFC 9113 §4.2`
public record FrameError(ErrorCode code, String what, String section) {
    @Override
    public String toString() {
        return code + ": " + what + " (" + section + ")";
    }
}
