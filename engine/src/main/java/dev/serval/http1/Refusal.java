package dev.serval.http1;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;

/// The rules of RFC 9112 that a peer can break, one constant for each.
final class Refusal {
    static final ProtocolError BARE_LF =
            bad("a line ends with LF instead of CRLF", "RFC 9112 §2.2");
    static final ProtocolError BARE_CR = bad("a CR without a following LF", "RFC 9112 §2.2");
    static final ProtocolError EMPTY_LINES =
            bad("empty lines before the request line", "RFC 9112 §2.2");
    static final ProtocolError REQUEST_LINE =
            bad("the request line is not method, target and version", "RFC 9112 §3");
    static final ProtocolError REQUEST_LINE_TOO_LONG =
            new ProtocolError(Status.URI_TOO_LONG, "the request line is too long", "RFC 9112 §3");
    static final ProtocolError METHOD_TOO_LONG =
            new ProtocolError(Status.NOT_IMPLEMENTED, "the method is too long", "RFC 9112 §3");
    static final ProtocolError METHOD = bad("the method is not a token", "RFC 9110 §9.1");
    static final ProtocolError VERSION = bad("the version is malformed", "RFC 9112 §2.3");
    static final ProtocolError VERSION_UNKNOWN =
            new ProtocolError(
                    Status.HTTP_VERSION_NOT_SUPPORTED,
                    "the major version is not 1",
                    "RFC 9110 §2.5");
    static final ProtocolError TARGET =
            bad("the target has a character that must be encoded", "RFC 9112 §3.2");
    static final ProtocolError FRAGMENT = bad("the target has a fragment", "RFC 9112 §3.2.1");
    static final ProtocolError TARGET_FORM =
            bad("the target's form does not fit its method", "RFC 9112 §3.2");
    static final ProtocolError ASTERISK =
            bad("the target * is only for OPTIONS", "RFC 9112 §3.2.4");
    static final ProtocolError CONNECT_TARGET =
            bad("the target of CONNECT is not host:port", "RFC 9112 §3.2.3");
    static final ProtocolError TARGET_AUTHORITY =
            bad("the target's authority is not host[:port]", "RFC 9110 §4.2.1");

    static final ProtocolError FIELD_FOLDED =
            bad("a field line begins with white space", "RFC 9112 §5.2");
    static final ProtocolError FIELD_NAME = bad("a field name is not a token", "RFC 9112 §5");
    static final ProtocolError FIELD_SPACE =
            bad("white space between a field name and its colon", "RFC 9112 §5.1");
    static final ProtocolError FIELD_COLON = bad("a field line without a colon", "RFC 9112 §5");
    static final ProtocolError CONTROL = bad("a control character in a line", "RFC 9110 §5.5");
    static final ProtocolError FIELDS_TOO_LARGE =
            new ProtocolError(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "the fields are too large or too many",
                    "RFC 6585 §5");

    static final ProtocolError HOST_MISSING = bad("no Host field", "RFC 9112 §3.2");
    static final ProtocolError HOST_REPEATED = bad("more than one Host field", "RFC 9112 §3.2");
    static final ProtocolError HOST = bad("the Host field is not host[:port]", "RFC 9112 §3.2");
    static final ProtocolError HOST_EMPTY = bad("the Host field names no host", "RFC 9110 §4.2.1");
    static final ProtocolError CONNECTION =
            bad("the Connection field has a member that is not a token", "RFC 9110 §7.6.1");
    static final ProtocolError LENGTH = bad("the Content-Length is not a number", "RFC 9110 §8.6");
    static final ProtocolError LENGTH_REPEATED =
            bad("more than one Content-Length", "RFC 9112 §6.3");
    static final ProtocolError LENGTH_AND_CODING =
            bad("both Content-Length and Transfer-Encoding", "RFC 9112 §6.1");
    static final ProtocolError CODING_IN_1_0 =
            bad("Transfer-Encoding in HTTP/1.0", "RFC 9112 §6.1");
    static final ProtocolError CODING =
            bad("Transfer-Encoding does not end with one chunked", "RFC 9112 §6.3");
    static final ProtocolError CODING_UNKNOWN =
            new ProtocolError(
                    Status.NOT_IMPLEMENTED,
                    "a transfer coding other than chunked",
                    "RFC 9112 §6.1");
    static final ProtocolError EXPECTATION =
            new ProtocolError(
                    Status.EXPECTATION_FAILED,
                    "an expectation other than 100-continue",
                    "RFC 9110 §10.1.1");

    static final ProtocolError CONTENT_TOO_LARGE =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE, "the content is too large", "RFC 9110 §15.5.14");
    static final ProtocolError CHUNK_SIZE = bad("a malformed chunk size", "RFC 9112 §7.1");
    static final ProtocolError CHUNK_EXTENSION =
            bad("a malformed chunk extension", "RFC 9112 §7.1.1");

    /// Not 413: only the framing is too large, while the content itself may be small.
    static final ProtocolError CHUNK_EXTENSIONS_TOO_LONG =
            bad("the chunk extensions are too long", "RFC 9112 §7.1.1");

    static final ProtocolError CHUNK_LINE_TOO_LONG =
            bad("the line of a chunk's size is too long", "RFC 9112 §7.1.1");
    static final ProtocolError CHUNK_END = bad("a chunk without a following CRLF", "RFC 9112 §7.1");
    static final ProtocolError TRAILER =
            bad("a trailer field that is allowed only in the head", "RFC 9110 §6.5.1");

    static final ProtocolError STATUS_LINE = bad("a malformed status line", "RFC 9112 §4");

    private Refusal() {}

    private static ProtocolError bad(String what, String section) {
        return new ProtocolError(Status.BAD_REQUEST, what, section);
    }
}
