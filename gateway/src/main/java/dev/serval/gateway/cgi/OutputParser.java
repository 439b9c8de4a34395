package dev.serval.gateway.cgi;

import dev.serval.codec.ByteRules;
import dev.serval.codec.CodecKey;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Parses the head of an application's output (RFC 3875 §6). Lines end with CRLF or LF. A status
/// line may come before the fields. The field Status replaces it: CGI.pm of Perl sends both.
///
/// Order of calls for each output: [#reset]; [#take] until it is complete or has failed; [#end] if
/// the output ends before that. The bytes after the head are content and are left to the caller.
/// For [OutputMode#LENIENT], the parser may also return [#earlyContent].
///
/// The result has no field that frames a message or concerns one connection. These are dropped:
/// Status, Content-Length, Transfer-Encoding, Connection, Keep-Alive, Proxy-Connection, TE, Trailer
/// and Upgrade; for [OutputMode#LENIENT] also X-Accel-Redirect and X-Sendfile, because no file takes
/// the place of such an output, and a client must not see its path. Owned by one loop.
public final class OutputParser {
    private static final ProtocolError TOO_LARGE =
            bad("the head of the application's output is too large", "RFC 3875 §6.3");
    private static final ProtocolError TOO_MANY =
            bad("the application's output has too many fields", "RFC 3875 §6.3");
    private static final ProtocolError NO_COLON =
            bad("the application's output has a line that is not a field", "RFC 3875 §6.3");
    private static final ProtocolError NAME =
            bad("the application's output has a malformed field name", "RFC 3875 §6.3");
    private static final ProtocolError CONTROL =
            bad("the application's output has a control character in its head", "RFC 9110 §5.5");
    private static final ProtocolError STATUS =
            bad("the application's Status is not from 200 to 599", "RFC 3875 §6.3.3");
    private static final ProtocolError STATUS_REPEATED =
            bad("the application's output has more than one Status", "RFC 3875 §6.3");
    private static final ProtocolError NO_HEAD =
            bad("the application's output has no head", "RFC 3875 §6.2");
    private static final ProtocolError ENDED =
            bad("the application's output ends in its head", "RFC 3875 §6.2");
    private static final ProtocolError EMPTY =
            bad("the application's output is empty", "RFC 3875 §6.2");
    private static final Fields HTML = html();
    private static final byte[] NONE = {};
    private static final int KEPT_MAX_BYTES = 8 << 10;
    private static final String STATUS_NAME = "status";
    private static final String VERSION = "HTTP/1.";
    private static final boolean[] DROPPED = dropped();

    /// ```text
    /// HEAD ── empty line ──────────────────────────▶ DONE
    ///   ├──── LENIENT, no field first, or no end ──▶ BARE (all content)
    ///   └──── broken rule ─────────────────────────▶ FAILED
    /// ```
    private enum State {
        HEAD,
        DONE,
        BARE,
        FAILED
    }

    private final OutputLimits limits;
    private final OutputMode mode;
    private final FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
    private State state = State.HEAD;
    private byte[] head = new byte[1024];
    private int length;
    private int line; // start of the current line in head
    private int count; // lines with a field
    private Status status = Status.OK;
    private boolean hasStatus;
    private boolean isStatusOfLine; // a field may still replace it
    private boolean hasLocation;
    private long declaredLength;
    private @Nullable ProtocolError error;

    /// Creates a parser for its first output.
    public OutputParser(OutputLimits limits, OutputMode mode) {
        this.limits = limits;
        this.mode = mode;
    }

    /// Starts another output. Keeps memory of usual size.
    public void reset() {
        if (head.length > KEPT_MAX_BYTES) {
            head = new byte[1024];
        }
        writer.reset();
        state = State.HEAD;
        length = 0;
        line = 0;
        count = 0;
        status = Status.OK;
        hasStatus = false;
        isStatusOfLine = false;
        hasLocation = false;
        declaredLength = -1;
        error = null;
    }

    /// Reads the next bytes of the output, up to the end of the head.
    ///
    /// @return the number of bytes used; the rest of `source[from, to)` is content
    public int take(byte[] source, int from, int to) {
        int at = from;
        while (state == State.HEAD && at < to) {
            int end = lineEnd(source, at, to);
            int allowed = limits.headMaxBytes() - length;
            if (end - at > allowed) {
                append(source, at, at + allowed);
                at += allowed;
                tooLarge();
                break;
            }
            append(source, at, end);
            at = end;
            if (head[length - 1] == '\n') {
                endLine();
            }
        }
        return at - from;
    }

    /// Tells the parser that the output has ended. A head that is still open is completed or
    /// refused.
    public void end() {
        if (state != State.HEAD) {
            return;
        }
        if (length == 0) {
            fail(EMPTY);
        } else if (mode == OutputMode.LENIENT && !hasStatus) {
            state = State.BARE;
        } else {
            fail(ENDED);
        }
    }

    /// Returns whether the head is complete.
    public boolean isComplete() {
        return state == State.DONE || state == State.BARE;
    }

    /// Returns what is wrong with the output, with status 502, or null.
    public @Nullable ProtocolError error() {
        return error;
    }

    /// Returns the status: that of the output; otherwise 302 if it has a Location, and 200 if not.
    public Status status() {
        return hasStatus || !hasLocation ? status : Status.FOUND;
    }

    /// Returns the fields for the response, in order; valid until [#reset].
    public Fields fields() {
        return state == State.BARE ? HTML : writer.fields();
    }

    /// Returns the length in bytes that the output's own Content-Length declares, or -1 if it has
    /// none that is a number. It never frames the response.
    public long declaredLength() {
        return declaredLength;
    }

    /// Returns the number of content bytes that were read with the head, because the output has
    /// none. They are the first bytes of [#earlyContent].
    public int earlyLength() {
        return state == State.BARE ? length : 0;
    }

    /// Returns the array that begins with the content that was read with the head; valid until
    /// [#reset].
    public byte[] earlyContent() {
        return state == State.BARE ? head : NONE;
    }

    private static int lineEnd(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            if (source[i] == '\n') {
                return i + 1;
            }
        }
        return to;
    }

    private void append(byte[] source, int from, int to) {
        int more = to - from;
        if (head.length - length < more) {
            head = Arrays.copyOf(head, Math.max(2 * head.length, length + more));
        }
        System.arraycopy(source, from, head, length, more);
        length += more;
    }

    private void tooLarge() {
        int name = nameEnd(0, length);
        boolean field = name > 0 && name < length && head[name] == ':';
        if (mode == OutputMode.LENIENT && count == 0 && !hasStatus && !field) {
            state = State.BARE; // one long line
        } else {
            fail(TOO_LARGE);
        }
    }

    private void endLine() {
        int end = length - 1;
        if (end > line && head[end - 1] == '\r') {
            end--;
        }
        if (end == line) {
            endHead();
        } else if (line == 0) {
            firstLine(end);
        } else {
            field(end);
        }
        line = length;
    }

    private void endHead() {
        if (count == 0 && !hasStatus && mode == OutputMode.STRICT) {
            fail(NO_HEAD);
            return;
        }
        writer.adopt(head, 0, length);
        state = State.DONE;
    }

    private void firstLine(int end) {
        int colon = nameEnd(0, end);
        if (startsWithVersion(end)) {
            status(VERSION.length() + 2, end);
            isStatusOfLine = true;
        } else if (mode == OutputMode.STRICT || (colon > 0 && colon < end && head[colon] == ':')) {
            field(end);
        } else if (isMeantAsField(end)) {
            fail(NAME); // as content, it would show the client the head
        } else {
            state = State.BARE;
        }
    }

    /// Returns whether the first line, which is no field, has a colon after what looks like a name.
    private boolean isMeantAsField(int end) {
        boolean named = ByteRules.token(head[0]) || blank(head[0]) || head[0] == ':';
        return named && hasColon(0, end);
    }

    private boolean startsWithVersion(int end) {
        if (end < VERSION.length() + 2) {
            return false;
        }
        for (int i = 0; i < VERSION.length(); i++) {
            if (head[i] != VERSION.charAt(i)) {
                return false;
            }
        }
        return digit(head[VERSION.length()]) >= 0 && head[VERSION.length() + 1] == ' ';
    }

    private int nameEnd(int from, int end) {
        int at = from;
        while (at < end && ByteRules.token(head[at])) {
            at++;
        }
        return at;
    }

    private void field(int end) {
        if (++count > limits.fieldsMax()) {
            fail(TOO_MANY);
            return;
        }
        int colon = nameEnd(line, end);
        if (colon == end || head[colon] != ':' || colon == line) {
            fail(hasColon(colon, end) ? NAME : NO_COLON);
            return;
        }
        int from = colon + 1;
        int to = end;
        while (from < to && blank(head[from])) {
            from++;
        }
        while (to > from && blank(head[to - 1])) {
            to--;
        }
        for (int i = from; i < to; i++) {
            if (!ByteRules.field(head[i])) {
                fail(CONTROL);
                return;
            }
        }
        keep(colon, from, to);
    }

    private boolean hasColon(int from, int end) {
        for (int i = from; i < end; i++) {
            if (head[i] == ':') {
                return true;
            }
        }
        return false;
    }

    private void keep(int colon, int from, int to) {
        @Nullable FieldName known = FieldName.of(head, line, colon);
        if (known == null) {
            if (isStatus(colon)) {
                status(from, to);
            } else {
                writer.mark(null, line, colon, from, to);
            }
            return;
        }
        if (known == FieldName.CONTENT_LENGTH) {
            declaredLength = number(from, to);
        }
        hasLocation |= known == FieldName.LOCATION;
        if (!DROPPED[known.id()] && !(mode == OutputMode.LENIENT && namesFile(known))) {
            writer.mark(known, line, colon, from, to);
        }
    }

    private static boolean namesFile(FieldName name) {
        return name == FieldName.X_ACCEL_REDIRECT || name == FieldName.X_SENDFILE;
    }

    private boolean isStatus(int colon) {
        if (colon - line != STATUS_NAME.length()) {
            return false;
        }
        for (int i = 0; i < STATUS_NAME.length(); i++) {
            if ((head[line + i] | 0x20) != STATUS_NAME.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void status(int from, int to) {
        if (hasStatus && !isStatusOfLine) {
            fail(STATUS_REPEATED);
            return;
        }
        boolean formed = to - from >= 3 && (to - from == 3 || blank(head[from + 3]));
        long code = formed ? number(from, from + 3) : -1;
        if (code < 200 || code > 599) {
            fail(STATUS);
            return;
        }
        hasStatus = true;
        isStatusOfLine = false;
        status = Status.of((int) code);
    }

    private long number(int from, int to) {
        long value = from == to ? -1 : 0;
        for (int i = from; i < to; i++) {
            int digit = digit(head[i]);
            if (digit < 0 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int digit(int b) {
        return b >= '0' && b <= '9' ? b - '0' : -1;
    }

    private static boolean blank(int b) {
        return b == ' ' || b == '\t';
    }

    private void fail(ProtocolError what) {
        error = what;
        state = State.FAILED;
    }

    private static Fields html() {
        Fields type = Fields.of(FieldName.CONTENT_TYPE, "text/html");
        return new ResponseHead(Status.OK, type, 0).fields(); // frozen
    }

    private static boolean[] dropped() {
        boolean[] dropped = new boolean[FieldName.count()];
        dropped[FieldName.CONTENT_LENGTH.id()] = true;
        dropped[FieldName.TRANSFER_ENCODING.id()] = true;
        dropped[FieldName.CONNECTION.id()] = true;
        dropped[FieldName.KEEP_ALIVE.id()] = true;
        dropped[FieldName.PROXY_CONNECTION.id()] = true;
        dropped[FieldName.TE.id()] = true;
        dropped[FieldName.TRAILER.id()] = true;
        dropped[FieldName.UPGRADE.id()] = true;
        return dropped;
    }

    private static ProtocolError bad(String what, String section) {
        return new ProtocolError(Status.BAD_GATEWAY, what, section);
    }
}
