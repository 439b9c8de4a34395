package dev.serval.http1;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the field lines of requests, responses and trailers, up to the empty line (RFC 9112 §5).
/// Results are valid until the next [#read]; no other state stays between calls.
///
/// It also records the index of each field that frames or routes the message, so that no caller has
/// to search for it. Owned by one parser.
final class FieldLines {
    static final int NEED_MORE = 0;
    static final int ERROR = -1;

    /// The role of Host; [#first] and [#repeated] take such a role.
    static final int HOST = 0;

    static final int CONTENT_LENGTH = 1;
    static final int TRANSFER_ENCODING = 2;
    static final int CONNECTION = 3;
    static final int EXPECT = 4;

    private static final int ORDINARY = -1;
    private static final byte[] ROLES = roles();

    private final boolean answers; // reads those of other servers
    private final int[] first = new int[EXPECT + 1];
    private int seen;
    private int repeated;
    private boolean onlyLf; // a line ended so
    private @Nullable ProtocolError error;

    /// Creates a reader of requests or trailers.
    FieldLines() {
        this(false);
    }

    private FieldLines(boolean answers) {
        this.answers = answers;
    }

    /// Creates a reader of the heads of answers. It takes an LF without a CR as the end of a line (RFC
    /// 9112 §2.2).
    static FieldLines ofAnswers() {
        return new FieldLines(true);
    }

    /// Reads lines from `buffer[at, to)` and marks them in `into`, after the fields that it already
    /// has.
    ///
    /// @param base the index to which marks are relative
    /// @param max the largest number of fields allowed
    /// @return the index after the empty line, [#NEED_MORE] or [#ERROR]
    int read(byte[] buffer, int at, int to, int base, int max, FieldsWriter into) {
        error = null;
        seen = 0;
        repeated = 0;
        onlyLf = false;
        Fields held = into.fields();
        for (int kept = 0; kept < held.size(); kept++) {
            note(held.id(kept), kept);
        }
        int line = at;
        for (int index = held.size(); ; index++) {
            int empty = endLength(buffer, line, to);
            if (empty > 0) {
                return line + empty;
            }
            int colon = Scan.indexOf(':', buffer, line, to); // may be in a later line
            @Nullable FieldName name = colon < to ? FieldName.of(buffer, line, colon) : null;
            int end = Scan.control(buffer, name == null ? line : colon, to);
            int endLength = endLength(buffer, end, to);
            if (endLength == 0) {
                @Nullable ProtocolError wrong = wrongEnd(buffer, end, to);
                return wrong == null ? NEED_MORE : fail(wrong);
            }
            if (index == max) {
                return fail(Refusal.FIELDS_TOO_LARGE);
            }
            if (name == null) {
                @Nullable ProtocolError wrong = checkName(buffer, line, colon, end);
                if (wrong != null) {
                    return fail(wrong);
                }
            } else {
                note(name.id(), index);
            }
            int valueAt = skipBlank(buffer, colon + 1, end);
            int valueEnd = trimBlank(buffer, valueAt, end);
            into.mark(name, line - base, colon - base, valueAt - base, valueEnd - base);
            line = end + endLength;
        }
    }

    /// Returns whether a line ended with LF only.
    boolean hasOnlyLf() {
        return onlyLf;
    }

    /// Returns the fault, or null.
    @Nullable ProtocolError error() {
        return error;
    }

    /// Returns the index of the first field of that role, or -1.
    int first(int role) {
        return (seen & 1 << role) == 0 ? -1 : first[role];
    }

    /// Returns whether there is more than one field of that role.
    boolean repeated(int role) {
        return (repeated & 1 << role) != 0;
    }

    /// Returns the fault in an unknown name, or null.
    private static @Nullable ProtocolError checkName(byte[] buffer, int line, int colon, int end) {
        if (blank(buffer[line])) {
            return Refusal.FIELD_FOLDED;
        }
        if (colon > end) {
            return Refusal.FIELD_COLON;
        }
        for (int i = line; i < colon; i++) {
            if (!ByteRules.token(buffer[i])) {
                boolean beforeColon = skipBlank(buffer, i, colon) == colon;
                return beforeColon ? Refusal.FIELD_SPACE : Refusal.FIELD_NAME;
            }
        }
        return colon == line ? Refusal.FIELD_NAME : null;
    }

    private void note(int id, int index) {
        int role = id < 0 ? ORDINARY : ROLES[id];
        if (role == ORDINARY) {
            return;
        }
        int bit = 1 << role;
        if ((seen & bit) == 0) {
            seen |= bit;
            first[role] = index;
        } else {
            repeated |= bit;
        }
    }

    /// Returns the index of the first byte in `bytes[from, to)` that is not white space, or `to`.
    static int skipBlank(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && blank(bytes[at])) {
            at++;
        }
        return at;
    }

    /// Returns the end of `bytes[from, to)` without its trailing white space.
    static int trimBlank(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && blank(bytes[at - 1])) {
            at--;
        }
        return at;
    }

    /// Returns whether there is a CRLF at `at`.
    static boolean lineEnd(byte[] buffer, int at, int to) {
        return at + 1 < to && buffer[at] == '\r' && buffer[at + 1] == '\n';
    }

    /// Returns the length of the line end at `at`; 0 if there is none.
    private int endLength(byte[] buffer, int at, int to) {
        if (lineEnd(buffer, at, to)) {
            return 2;
        }
        boolean lf = answers && at < to && buffer[at] == '\n';
        onlyLf |= lf;
        return lf ? 1 : 0;
    }

    /// Returns the fault of the control byte at `at`, which is not a complete line end. Returns
    /// null if more bytes may complete it.
    static @Nullable ProtocolError wrongEnd(byte[] buffer, int at, int to) {
        if (at == to) {
            return null;
        }
        return switch (buffer[at]) {
            case '\n' -> Refusal.BARE_LF;
            case '\r' -> at + 1 == to ? null : Refusal.BARE_CR;
            default -> Refusal.CONTROL;
        };
    }

    private static boolean blank(int b) {
        return b == ' ' || b == '\t';
    }

    private int fail(ProtocolError what) {
        error = what;
        return ERROR;
    }

    private static byte[] roles() {
        byte[] roles = new byte[FieldName.count()];
        Arrays.fill(roles, (byte) ORDINARY);
        roles[FieldName.HOST.id()] = HOST;
        roles[FieldName.CONTENT_LENGTH.id()] = CONTENT_LENGTH;
        roles[FieldName.TRANSFER_ENCODING.id()] = TRANSFER_ENCODING;
        roles[FieldName.CONNECTION.id()] = CONNECTION;
        roles[FieldName.EXPECT.id()] = EXPECT;
        return roles;
    }
}
