package dev.serval.http1;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Octets;
import dev.serval.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads field lines up to the empty line behind them (RFC 9112 §5): of requests, of responses and
/// of trailers. What it found is true until the next [#read]; nothing else stays between calls.
///
/// It also notes where the fields stand that say how the message is framed and routed, so that
/// nobody has to look for them. Owned by one parser.
final class FieldLines {
    static final int NEED_MORE = 0;
    static final int ERROR = -1;

    /// [#first] and [#repeated] speak of these.
    static final int HOST = 0;

    static final int CONTENT_LENGTH = 1;
    static final int TRANSFER_ENCODING = 2;
    static final int CONNECTION = 3;
    static final int EXPECT = 4;

    private static final int ORDINARY = -1;
    private static final byte[] ROLES = roles();

    private final int[] first = new int[EXPECT + 1];
    private int seen;
    private int repeated;
    private @Nullable ProtocolError error;

    /// Reads lines from `buffer[at, to)` and marks them in `into`, which was reset.
    ///
    /// @param base what the marks are relative to
    /// @param max how many fields there may be
    /// @return the index behind the empty line, [#NEED_MORE] or [#ERROR]
    int read(byte[] buffer, int at, int to, int base, int max, Fields into) {
        error = null;
        seen = 0;
        repeated = 0;
        int line = at;
        for (int index = 0; ; index++) {
            int end = Scan.control(buffer, line, to);
            if (end + 1 >= to) {
                return end < to && buffer[end] != '\r' ? fail(control(buffer, end)) : NEED_MORE;
            }
            if (buffer[end] != '\r' || buffer[end + 1] != '\n') {
                return fail(control(buffer, end));
            }
            if (end == line) {
                return end + 2;
            }
            if (index == max) {
                return fail(Refusal.FIELDS_TOO_LARGE);
            }
            if (!field(buffer, line, end, base, index, into)) {
                return ERROR;
            }
            line = end + 2;
        }
    }

    /// What was wrong.
    @Nullable ProtocolError error() {
        return error;
    }

    /// The index of the first field of that role, or -1.
    int first(int role) {
        return (seen & 1 << role) == 0 ? -1 : first[role];
    }

    /// Whether there is more than one field of that role.
    boolean repeated(int role) {
        return (repeated & 1 << role) != 0;
    }

    private boolean field(byte[] buffer, int line, int end, int base, int index, Fields into) {
        int colon = Scan.indexOf(':', buffer, line, end);
        @Nullable FieldName name = colon < end ? FieldName.of(buffer, line, colon) : null;
        if (name == null) {
            @Nullable ProtocolError wrong = checkName(buffer, line, colon, end);
            if (wrong != null) {
                error = wrong;
                return false;
            }
        } else if (ROLES[name.id()] != ORDINARY) {
            note(ROLES[name.id()], index);
        }
        int valueAt = colon + 1;
        while (valueAt < end && blank(buffer[valueAt])) {
            valueAt++;
        }
        int valueEnd = end;
        while (valueEnd > valueAt && blank(buffer[valueEnd - 1])) {
            valueEnd--;
        }
        into.mark(name, line - base, colon - base, valueAt - base, valueEnd - base);
        return true;
    }

    private static @Nullable ProtocolError checkName(byte[] buffer, int line, int colon, int end) {
        if (blank(buffer[line])) {
            return Refusal.FIELD_FOLDED;
        }
        for (int i = line; i < colon; i++) {
            if (!Octets.token(buffer[i])) {
                boolean trailing = colon < end && blank(buffer[i]) && onlyBlank(buffer, i, colon);
                return trailing ? Refusal.FIELD_SPACE : Refusal.FIELD_NAME;
            }
        }
        if (colon == end) {
            return Refusal.FIELD_COLON;
        }
        return colon == line ? Refusal.FIELD_NAME : null;
    }

    private void note(int role, int index) {
        int bit = 1 << role;
        if ((seen & bit) == 0) {
            seen |= bit;
            first[role] = index;
        } else {
            repeated |= bit;
        }
    }

    private static boolean onlyBlank(byte[] buffer, int from, int to) {
        int i = from;
        while (i < to && blank(buffer[i])) {
            i++;
        }
        return i == to;
    }

    /// What is wrong with the control octet that ended a line before its time.
    static ProtocolError control(byte[] buffer, int at) {
        return switch (buffer[at]) {
            case '\n' -> Refusal.BARE_LF;
            case '\r' -> Refusal.BARE_CR;
            default -> Refusal.CONTROL;
        };
    }

    static boolean blank(int octet) {
        return octet == ' ' || octet == '\t';
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
