package dev.serval.http2;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;

/// The rules of HTTP that a well-formed head can break, and that are answered on its stream.
final class Refused {
    static final ProtocolError TARGET =
            bad("the target has a character that must be encoded", "RFC 9113 §8.3.1");
    static final ProtocolError FRAGMENT = bad("the target has a fragment", "RFC 9113 §8.3.1");
    static final ProtocolError TARGET_TOO_LONG =
            new ProtocolError(Status.URI_TOO_LONG, "the target is too long", "RFC 9110 §4.1");
    static final ProtocolError ASTERISK =
            bad("the target * is only for OPTIONS", "RFC 9113 §8.3.1");
    static final ProtocolError SCHEME = bad("the scheme is not http or https", "RFC 9110 §4.2");
    static final ProtocolError HOST_MISSING = bad("neither :authority nor Host", "RFC 9113 §8.3.1");
    static final ProtocolError HOST_REPEATED = bad("more than one Host field", "RFC 9110 §7.2");
    static final ProtocolError HOST = bad("the authority is not host[:port]", "RFC 9110 §4.2.1");
    static final ProtocolError CONNECT_TARGET =
            bad("the target of CONNECT is not host:port", "RFC 9113 §8.5");
    static final ProtocolError PROTOCOL =
            new ProtocolError(
                    Status.NOT_IMPLEMENTED, "no tunnel is served for this protocol", "RFC 9220 §3");
    static final ProtocolError FIELDS_TOO_LARGE =
            new ProtocolError(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "the fields are too large or too many",
                    "RFC 6585 §5");
    static final ProtocolError EXPECTATION =
            new ProtocolError(
                    Status.EXPECTATION_FAILED,
                    "an expectation other than 100-continue",
                    "RFC 9110 §10.1.1");

    private Refused() {}

    private static ProtocolError bad(String what, String section) {
        return new ProtocolError(Status.BAD_REQUEST, what, section);
    }
}
