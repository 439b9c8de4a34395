package dev.serval.conn;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.net.Input;
import java.util.Arrays;

/// The errors of heads that are not read to their end. Stateless.
final class UnreadHead {
    static final ProtocolError CUT_SHORT =
            new ProtocolError(
                    Status.BAD_REQUEST, "the head ends before its empty line", "RFC 9112 §8");
    static final ProtocolError TOO_LATE =
            new ProtocolError(
                    Status.REQUEST_TIMEOUT,
                    "the head was not complete in time",
                    "RFC 9110 §15.5.9");
    static final ProtocolError NO_MEMORY =
            new ProtocolError(
                    Status.SERVICE_UNAVAILABLE,
                    "the server has no memory left for a head of this size at the moment",
                    "RFC 9110 §15.6.4");

    private static final byte[] HEAD_METHOD = {'H', 'E', 'A', 'D', ' '};

    private UnreadHead() {}

    /// Returns whether the bytes are no part of a request, but line ends that some clients send after
    /// the content of a request (RFC 9112 §2.2).
    static boolean isOnlyLineEnds(Input in) {
        byte[] bytes = in.array();
        int end = in.from() + in.length();
        int at = in.from();
        while (at + 1 < end && bytes[at] == '\r' && bytes[at + 1] == '\n') {
            at += 2;
        }
        return at == end;
    }

    /// Returns whether the bytes begin like a HEAD request. Its answer has no content, whatever
    /// else is wrong with the request (RFC 9110 §9.3.2).
    static boolean asksForHeadOnly(Input in) {
        byte[] bytes = in.array();
        int from = in.from();
        if (in.length() > 2 && bytes[from] == '\r' && bytes[from + 1] == '\n') {
            from += 2; // an empty line may precede it (RFC 9112 §2.2)
        }
        int end = from + HEAD_METHOD.length;
        return end <= in.to() && Arrays.equals(bytes, from, end, HEAD_METHOD, 0, end - from);
    }
}
