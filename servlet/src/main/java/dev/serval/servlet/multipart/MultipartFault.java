package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;

/// The faults of multipart content. Constants, so that a refusal allocates nothing.
final class MultipartFault {
    static final ProtocolError NO_BOUNDARY =
            bad("the Content-Type has no valid boundary", "RFC 2046 §5.1.1");
    static final ProtocolError PREAMBLE_TOO_LONG =
            bad("the multipart content does not begin with its boundary", "RFC 2046 §5.1.1");
    static final ProtocolError DELIMITER =
            bad("a boundary is not followed by CRLF or --", "RFC 2046 §5.1.1");
    static final ProtocolError EPILOGUE =
            bad("the multipart content continues after its last boundary", "RFC 2046 §5.1.1");
    static final ProtocolError TRUNCATED =
            bad("the multipart content ends before its last boundary", "RFC 2046 §5.1.1");
    static final ProtocolError HEAD =
            bad("the head of a part is malformed, or has not exactly one name", "RFC 7578 §4.2");
    static final ProtocolError BAD_TEXT =
            bad("a part has bytes that its charset does not allow", "RFC 7578 §5.1.2");
    static final ProtocolError HEAD_TOO_LONG = large("the head of a part is too long");
    static final ProtocolError TOO_MANY_PARTS = large("the request has too many parts");
    // Frameworks look for the words "exceed" and "size" (Spring before 6.1).
    static final ProtocolError PART_TOO_LARGE = large("a part exceeds max-file-size");
    static final ProtocolError REQUEST_TOO_LARGE =
            large("the multipart content exceeds max-request-size");
    static final ProtocolError TEXT_TOO_LARGE =
            large("the parts without a file name are too large for parameters");

    private MultipartFault() {}

    private static ProtocolError bad(String what, String section) {
        return new ProtocolError(Status.BAD_REQUEST, what, section);
    }

    private static ProtocolError large(String what) {
        return new ProtocolError(Status.CONTENT_TOO_LARGE, what, "Servlet 6.1 §8.1.5");
    }
}
