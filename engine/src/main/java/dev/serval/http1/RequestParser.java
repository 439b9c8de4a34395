package dev.serval.http1;

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

/// Reads request heads (RFC 9112 §2 to §6, §9): one interpretation, or a refusal.
///
/// A head that arrives in pieces is offered again from its first byte, with `fresh` telling what
/// no earlier call saw; without a line end among the fresh bytes nothing is read again. The parser
/// keeps nothing between calls but [#error], so one serves every connection of an event loop, which
/// owns it. After [#ERROR] nothing behind the refused head may be read as a request.
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

    /// A parser with these bounds that accepts these deviations.
    public RequestParser(Limits.Heads limits, Set<Leniency> leniency) {
        this.bounds = new HeadBounds(limits);
        this.emptyLineBefore = leniency.contains(Leniency.EMPTY_LINE_BEFORE_REQUEST);
        this.requestLine = new RequestLine(leniency);
    }

    /// Reads the head at the start of `buffer[from, to)`.
    ///
    /// @param fresh first byte that no earlier call for this head saw; `from` at first
    /// @param into takes the head, with a copy of its bytes; true only after a positive return,
    ///     and forgotten by any other
    /// @return bytes of the head, an empty line before it included, [#NEED_MORE] or [#ERROR]
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
            into.reset(); // so that nothing repeats it
        }
        return result;
    }

    /// What was wrong with the head last refused; null after any other outcome.
    public @Nullable ProtocolError error() {
        return error;
    }

    /// Where the request begins behind an empty line (§2.2), or [#NEED_MORE] or [#ERROR].
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
            return refuse(Refusal.REQUEST_LINE_TOO_LONG);
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

    /// The head goes on behind `limit`: it is too large, or not here yet.
    private int more(int start, int limit) {
        return bounds.exhausted(start, limit) ? refuse(Refusal.FIELDS_TOO_LARGE) : NEED_MORE;
    }

    /// Applies the rules for what the fields say together.
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
            contentLength =
                    length < 0 ? RequestHead.UNKNOWN_LENGTH : FieldRules.number(fields, length);
        }
        int connection = fieldLines.first(FieldLines.CONNECTION);
        if (connection >= 0 && !FieldRules.tokens(fields, FieldName.CONNECTION, connection)) {
            return Refusal.CONNECTION;
        }
        int expect = fieldLines.first(FieldLines.EXPECT);
        if (expect >= 0 && !onlyContinue(fields, expect)) {
            return Refusal.EXPECTATION;
        }
        // RFC 9110 §10.1.1: ignored in HTTP/1.0, and without content
        boolean expectsContinue = expect >= 0 && modern && contentLength != 0;
        into.content(contentLength, persistent(fields, modern), expectsContinue, host);
        return null;
    }

    /// Exactly one in HTTP/1.1 and at most one in HTTP/1.0 (§3.2). It may be empty only where the
    /// target does not need it: in every form but the origin form.
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

    /// §6.1 to §6.3: one of the two, once, and exact.
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
        return FieldRules.number(fields, length) < 0 ? Refusal.LENGTH : null;
    }

    private static boolean onlyContinue(Fields fields, int first) {
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.EXPECT, i + 1)) {
            if (!fields.valueIs(i, "100-continue")) {
                return false;
            }
        }
        return true;
    }

    /// §9.3.
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
