package dev.serval.http1;

import dev.serval.codec.Authority;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.Target;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses request heads (RFC 9112 §2 to §6, §9). A head has one interpretation or is refused.
///
/// The caller offers an incomplete head again from its first byte. `fresh` is the first byte that
/// no earlier call saw; if no fresh byte can change the result, nothing is read again. The parser
/// keeps only [#error] and [#persistent] between calls, so one serves every connection of the event loop that owns
/// it. After [#ERROR] no bytes after the refused head may be read as a request.
public final class RequestParser {
    /// Returned by [#parse]: the head is not complete.
    public static final int NEED_MORE = 0;

    /// Returned by [#parse]: see [#error].
    public static final int ERROR = -1;

    private final HeadBounds bounds;
    private final boolean emptyLineBefore;
    private final RequestLine requestLine;
    private final FieldLines fieldLines = new FieldLines();
    private @Nullable ProtocolError error;
    private boolean persistent;

    /// Creates a parser with these limits that accepts these deviations.
    public RequestParser(Limits.Heads limits, Set<Leniency> leniency) {
        this.bounds = new HeadBounds(limits);
        this.emptyLineBefore = leniency.contains(Leniency.EMPTY_LINE_BEFORE_REQUEST);
        this.requestLine = new RequestLine(leniency);
    }

    /// Parses the head at the start of `buffer[from, to)`.
    ///
    /// @param fresh first byte that no earlier call for this head saw; `from` at first
    /// @param into receives the head and a copy of its bytes; valid only after a positive return,
    ///     and reset by any other
    /// @return length of the head in bytes, including an empty line before it; or [#NEED_MORE] or
    ///     [#ERROR]
    public int parse(byte[] buffer, int from, int to, int fresh, RequestHeadWriter into) {
        error = null;
        if (fresh > from && !bounds.worthReading(buffer, from, to, fresh)) {
            return NEED_MORE;
        }
        int result;
        if (from < to && buffer[from] == '\r') {
            int start = skipEmptyLine(buffer, from, to);
            result = start <= 0 ? start : head(buffer, from, start, to, into);
        } else {
            result = head(buffer, from, from, to, into);
        }
        if (result <= 0) {
            into.reset(); // or the next head could count as a repetition
        }
        return result;
    }

    /// Returns the fault in the last head if it was refused, otherwise null.
    public @Nullable ProtocolError error() {
        return error;
    }

    /// Returns whether the connection may serve another request after the one whose head was parsed
    /// last (§9.3). Valid after a positive return of [#parse].
    public boolean persistent() {
        return persistent;
    }

    /// Returns the start of the request after an empty line (§2.2), or [#NEED_MORE] or [#ERROR].
    private int skipEmptyLine(byte[] buffer, int from, int to) {
        if (to - from < 2) {
            return NEED_MORE;
        }
        if (buffer[from + 1] != '\n') {
            return refuse(Refusal.BARE_CR);
        }
        if (!emptyLineBefore || (to - from > 2 && buffer[from + 2] == '\r')) {
            return refuse(Refusal.EMPTY_LINES);
        }
        return to - from == 2 ? NEED_MORE : from + 2;
    }

    private int head(byte[] buffer, int from, int start, int to, RequestHeadWriter into) {
        int limit = bounds.limit(start, to);
        int lineEnd = Scan.control(buffer, start, limit);
        if (bounds.lineTooLong(start, lineEnd)) {
            return refuse(RequestLine.tooLong(buffer, start, bounds.lineLimit(start)));
        }
        @Nullable ProtocolError wrong;
        if (!FieldLines.lineEnd(buffer, lineEnd, limit)) {
            wrong = FieldLines.wrongEnd(buffer, lineEnd, limit);
            return wrong == null ? more(start, limit) : refuse(wrong);
        }
        wrong = requestLine.read(buffer, start, lineEnd, into);
        if (wrong != null) {
            return refuse(wrong);
        }
        int at = lineEnd + 2;
        at += into.keepRepeated(buffer, start, at, limit); // pays in HeadParseBenchmark.nextPage
        int end = fieldLines.read(buffer, at, limit, start, bounds.fieldsMax(), into.fields());
        if (end == FieldLines.NEED_MORE) {
            return more(start, limit);
        }
        if (end == FieldLines.ERROR) {
            error = fieldLines.error();
            return ERROR;
        }
        into.keep(buffer, start, end - start);
        wrong = apply(into);
        return wrong == null ? end - from : refuse(wrong);
    }

    /// Handles a head that does not end before `limit`: it is too large or incomplete.
    private int more(int start, int limit) {
        return bounds.exhausted(start, limit) ? refuse(Refusal.FIELDS_TOO_LARGE) : NEED_MORE;
    }

    /// Applies the rules that concern several fields.
    private @Nullable ProtocolError apply(RequestHeadWriter into) {
        RequestHead head = into.head();
        int host = fieldLines.first(FieldLines.HOST);
        @Nullable ProtocolError wrong = checkHost(head, host);
        if (wrong != null) {
            return wrong;
        }
        Fields fields = head.fields();
        boolean modern = head.version() == HttpVersion.HTTP_1_1;
        long contentLength = 0;
        int length = fieldLines.first(FieldLines.CONTENT_LENGTH);
        int coding = fieldLines.first(FieldLines.TRANSFER_ENCODING);
        if (length >= 0 || coding >= 0) {
            wrong = checkFraming(fields, length, coding, modern);
            if (wrong != null) {
                return wrong;
            }
            contentLength = length < 0 ? RequestHead.UNKNOWN_LENGTH : fields.number(length);
        }
        int connection = fieldLines.first(FieldLines.CONNECTION);
        if (connection >= 0 && !FieldRules.tokens(fields, FieldName.CONNECTION, connection)) {
            return Refusal.CONNECTION;
        }
        int expect = fieldLines.first(FieldLines.EXPECT);
        if (expect >= 0 && !onlyContinue(fields, expect)) {
            return Refusal.EXPECTATION;
        }
        // RFC 9110 §10.1.1: ignored in HTTP/1.0 and without content
        boolean expectsContinue = expect >= 0 && modern && contentLength != 0;
        persistent = persistent(fields, modern);
        into.content(contentLength, expectsContinue, host);
        return null;
    }

    /// Requires exactly one Host field in HTTP/1.1, and at most one in HTTP/1.0 (§3.2). It may be
    /// empty only if the target is not in origin form, because then the target does not need it.
    private @Nullable ProtocolError checkHost(RequestHead head, int host) {
        if (host < 0) {
            return head.version() == HttpVersion.HTTP_1_1 ? Refusal.HOST_MISSING : null;
        }
        if (fieldLines.repeated(FieldLines.HOST)) {
            return Refusal.HOST_REPEATED;
        }
        byte[] bytes = head.fields().buffer();
        int from = head.fields().valueAt(host);
        int to = head.fields().valueEnd(host);
        if (!Authority.valid(bytes, from, to)) {
            return Refusal.HOST;
        }
        boolean needed = head.target().form() == Target.Form.ORIGIN;
        return needed && !Authority.named(bytes, from, to) ? Refusal.HOST_EMPTY : null;
    }

    /// Requires exactly one of the two fields, once, with a valid value (§6.1 to §6.3).
    private @Nullable ProtocolError checkFraming(
            Fields fields, int length, int coding, boolean modern) {
        if (coding >= 0) {
            if (!modern) {
                return Refusal.CODING_IN_1_0;
            }
            return length >= 0
                    ? Refusal.LENGTH_AND_CODING
                    : FieldRules.checkCodings(fields, coding);
        }
        if (fieldLines.repeated(FieldLines.CONTENT_LENGTH)) {
            return Refusal.LENGTH_REPEATED;
        }
        return fields.number(length) < 0 ? Refusal.LENGTH : null;
    }

    private static boolean onlyContinue(Fields fields, int first) {
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.EXPECT, i + 1)) {
            if (!fields.valueIs(i, "100-continue")) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the connection persists (§9.3).
    private boolean persistent(Fields fields, boolean modern) {
        int connection = fieldLines.first(FieldLines.CONNECTION);
        if (connection < 0) {
            return modern;
        }
        return !FieldRules.hasMember(fields, FieldName.CONNECTION, connection, "close")
                && (modern
                        || FieldRules.hasMember(
                                fields, FieldName.CONNECTION, connection, "keep-alive"));
    }

    private int refuse(ProtocolError what) {
        error = what;
        return ERROR;
    }
}
