package dev.serval.http1;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Parses response heads (RFC 9112 §4, §5, §6.3). It is as strict as [RequestParser] and called in the
/// same way. It takes four things that some servers send and other clients accept, because they leave no
/// doubt: no space after the status, LF as the end of a line, equal lengths, and `Transfer-Encoding:
/// identity`. A broken response is the other server's fault, so every error has status 502.
/// The parser keeps only [#error] between calls. Owned by an event loop.
public final class ResponseParser {
    /// Returned by [#parse]: the head is not complete.
    public static final int NEED_MORE = 0;

    /// Returned by [#parse]: see [#error].
    public static final int ERROR = -1;

    private static final int CODE_AT = "HTTP/1.1 ".length();
    private static final int CODE_END = "HTTP/1.1 200".length();
    private static final long VERSION = Scan.word("HTTP/1.");
    private static final long FIRST_SEVEN = 0xff_ffff_ffff_ffffL;

    private final HeadBounds bounds;
    private final FieldLines fieldLines = FieldLines.ofAnswers();
    private @Nullable ProtocolError error;

    /// Creates a parser with these limits.
    public ResponseParser(Limits.Heads limits) {
        this.bounds = new HeadBounds(limits);
    }

    /// Parses the head at the start of `buffer[from, to)`.
    ///
    /// @param fresh first byte that no earlier call for this head saw; `from` at first
    /// @param request the method of the request; it decides whether content follows
    /// @param into receives the head and a copy of its bytes; valid only after a positive return
    /// @return length of the head in bytes, [#NEED_MORE] or [#ERROR]
    public int parse(
            byte[] buffer, int from, int to, int fresh, Method request, ReceivedHead into) {
        error = null;
        if (fresh > from && !bounds.worthReading(buffer, from, to, fresh)) {
            return NEED_MORE;
        }
        into.writer().reset();
        int limit = bounds.limit(from, to);
        int lineEnd = Scan.control(buffer, from, limit);
        if (bounds.lineTooLong(from, lineEnd)) {
            return refuse(Refusal.STATUS_LINE);
        }
        @Nullable ProtocolError wrong;
        boolean onlyLf = lineEnd < limit && buffer[lineEnd] == '\n';
        if (!onlyLf && !FieldLines.lineEnd(buffer, lineEnd, limit)) {
            wrong = FieldLines.wrongEnd(buffer, lineEnd, limit);
            return wrong == null ? more(from, limit) : refuse(wrong);
        }
        if (!statusLine(buffer, from, lineEnd, into)) {
            return refuse(Refusal.STATUS_LINE);
        }
        FieldsWriter fields = into.writer();
        int next = lineEnd + (onlyLf ? 1 : 2);
        int end = fieldLines.read(buffer, next, limit, from, bounds.fieldsMax(), fields);
        wrong = fieldLines.error();
        if (wrong != null) {
            return refuse(wrong);
        }
        if (end == FieldLines.NEED_MORE) {
            return more(from, limit);
        }
        fields.adopt(buffer, from, end - from);
        wrong = apply(into, request, onlyLf || fieldLines.hasOnlyLf());
        return wrong == null ? end - from : refuse(wrong);
    }

    /// Returns the fault in the last head if it was refused, otherwise null.
    public @Nullable ProtocolError error() {
        return error;
    }

    private int more(int from, int limit) {
        return bounds.exhausted(from, limit) ? refuse(Refusal.FIELDS_TOO_LARGE) : NEED_MORE;
    }

    /// Reads `HTTP/1.x SP code [SP [reason]]`. A server must send the second space (§4). Some do not
    /// if there is no reason, and other clients accept that, because it leaves no doubt.
    private static boolean statusLine(byte[] buffer, int line, int end, ReceivedHead into) {
        boolean formed =
                end - line >= CODE_END
                        && (Scan.word(buffer, line) & FIRST_SEVEN) == VERSION
                        && digit(buffer[line + 7])
                        && buffer[line + 8] == ' '
                        && (end == line + CODE_END || buffer[line + CODE_END] == ' ');
        int code = formed ? code(buffer, line + CODE_AT) : -1;
        if (code < 100 || code > 599) {
            return false;
        }
        HttpVersion version = buffer[line + 7] == '0' ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
        into.line(version, Status.of(code));
        return true;
    }

    private static int code(byte[] buffer, int at) {
        boolean digits = digit(buffer[at]) && digit(buffer[at + 1]) && digit(buffer[at + 2]);
        return digits
                ? 100 * ByteRules.digit(buffer[at])
                        + 10 * ByteRules.digit(buffer[at + 1])
                        + ByteRules.digit(buffer[at + 2])
                : -1;
    }

    private static boolean digit(int b) {
        return b >= '0' && b <= '9';
    }

    /// Applies §6.3: the request and the status take precedence over the fields.
    ///
    /// @param doubtful whether another reader may find another end, so that the connection must not stay
    private @Nullable ProtocolError apply(ReceivedHead head, Method request, boolean doubtful) {
        Fields fields = head.fields();
        int length = fieldLines.first(FieldLines.CONTENT_LENGTH);
        int written = fieldLines.first(FieldLines.TRANSFER_ENCODING);
        boolean identity = written >= 0 && FieldRules.isIdentity(fields, written);
        int coding = identity ? -1 : written;
        @Nullable ProtocolError wrong = checkFraming(head, length, coding);
        if (wrong != null) {
            return wrong;
        }
        Framing framing = framing(head.status(), request, length, coding);
        long contentLength = length < 0 ? -1 : fields.number(length);
        boolean ends =
                !doubtful && !identity && endsSurely(head.status(), request, contentLength, coding);
        head.content(framing, contentLength, ends && persistent(head, request, framing));
        return null;
    }

    /// Returns whether no content can follow, unless the framing has some. Some servers send content with
    /// the answer to HEAD, such as Daphne, or with a 204 that announces it (RFC 9110 §8.6, §9.3.2, RFC
    /// 9112 §6.1). On a connection that stays, it would be read as the next response.
    private static boolean endsSurely(
            Status status, Method request, long contentLength, int coding) {
        boolean announced = coding >= 0 || contentLength > 0;
        return request != Method.HEAD && !(status.equals(Status.NO_CONTENT) && announced);
    }

    private @Nullable ProtocolError checkFraming(ReceivedHead head, int length, int coding) {
        if (coding >= 0) {
            if (head.version() == HttpVersion.HTTP_1_0) {
                return Refusal.CODING_IN_1_0;
            }
            return length >= 0
                    ? Refusal.LENGTH_AND_CODING
                    : FieldRules.checkCodings(head.fields(), coding);
        }
        if (length < 0) {
            return null;
        }
        if (fieldLines.repeated(FieldLines.CONTENT_LENGTH)
                && !FieldRules.areEqual(head.fields(), FieldName.CONTENT_LENGTH, length)) {
            return Refusal.LENGTH_REPEATED;
        }
        return head.fields().number(length) < 0 ? Refusal.LENGTH : null;
    }

    private static Framing framing(Status status, Method request, int length, int coding) {
        if (request == Method.HEAD || status.withoutContent() || tunnel(status, request)) {
            return Framing.NONE;
        }
        if (coding >= 0) {
            return Framing.CHUNKED;
        }
        return length >= 0 ? Framing.LENGTH : Framing.CLOSE;
    }

    private static boolean tunnel(Status status, Method request) {
        return status.code() == 101 || (request == Method.CONNECT && status.code() / 100 == 2);
    }

    private boolean persistent(ReceivedHead head, Method request, Framing framing) {
        if (framing == Framing.CLOSE || tunnel(head.status(), request)) {
            return false;
        }
        boolean modern = head.version() == HttpVersion.HTTP_1_1;
        int first = fieldLines.first(FieldLines.CONNECTION);
        if (first < 0) {
            return modern;
        }
        Fields fields = head.fields();
        return !FieldRules.hasMember(fields, FieldName.CONNECTION, first, "close")
                && (modern
                        || FieldRules.hasMember(fields, FieldName.CONNECTION, first, "keep-alive"));
    }

    private int refuse(ProtocolError what) {
        error = new ProtocolError(Status.BAD_GATEWAY, what.what(), what.section());
        return ERROR;
    }
}
