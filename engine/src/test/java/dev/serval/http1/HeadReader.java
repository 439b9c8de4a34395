package dev.serval.http1;

import dev.serval.codec.CodecKey;
import dev.serval.http.HttpVersion;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.Target;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Drives a [RequestParser] as a connection does. The head is inside a larger buffer, which has
/// other bytes after the arrived ones and is overwritten afterwards.
final class HeadReader implements Cuts.Reader {
    private static final int BEFORE = 5;
    private static final int AFTER = 16;

    private final RequestParser parser;
    private final RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
    private final RequestHead head = writer.head();
    private int consumed;

    HeadReader(Limits.Heads limits, Set<Leniency> leniency) {
        this.parser = new RequestParser(limits, leniency);
    }

    @Override
    public String read(byte[] bytes, int[] ends) {
        byte[] buffer = new byte[BEFORE + bytes.length + AFTER];
        Arrays.fill(buffer, (byte) '\n');
        int arrived = 0;
        consumed = RequestParser.NEED_MORE;
        for (int end : ends) {
            System.arraycopy(bytes, arrived, buffer, BEFORE + arrived, end - arrived);
            consumed = parser.parse(buffer, BEFORE, BEFORE + end, BEFORE + arrived, writer);
            if (consumed != RequestParser.NEED_MORE) {
                break;
            }
            arrived = end;
        }
        Arrays.fill(buffer, (byte) '!');
        return switch (consumed) {
            case RequestParser.NEED_MORE -> "more";
            case RequestParser.ERROR -> Objects.requireNonNull(parser.error()).toString();
            default -> summary();
        };
    }

    /// Returns the head that was read last.
    RequestHead head() {
        return head;
    }

    /// Returns the writer of the head.
    RequestHeadWriter writer() {
        return writer;
    }

    /// Returns the result of the last read.
    int consumed() {
        return consumed;
    }

    /// Returns the error of the last read.
    @Nullable ProtocolError error() {
        return parser.error();
    }

    /// Returns `GET /path?query @authority 1.0 length=n close expects`, without the default values.
    private String summary() {
        Target target = head.target();
        StringBuilder text = new StringBuilder(head.methodText()).append(' ');
        text.append(target.form() == Target.Form.ASTERISK ? "*" : target.path().text());
        String query = target.query();
        if (query != null) {
            text.append('?').append(query);
        }
        text.append(" @").append(head.authority());
        if (head.version() == HttpVersion.HTTP_1_0) {
            text.append(" 1.0");
        }
        if (head.contentLength() != 0) {
            text.append(" length=")
                    .append(head.contentLength() < 0 ? "chunked" : head.contentLength());
        }
        text.append(parser.persistent() ? "" : " close");
        text.append(head.expectsContinue() ? " expects" : "");
        return text.toString();
    }
}
