package dev.serval.http1;

import dev.serval.codec.Authority;
import dev.serval.codec.ByteRules;
import dev.serval.codec.TargetCharacters;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHeadWriter;
import dev.serval.policy.Leniency;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a request line whose end is known (RFC 9112 §3). Keeps no state between lines. Owned by
/// one parser.
final class RequestLine {
    private static final int SHORTEST = "A * HTTP/1.1".length();
    private static final int VERSION_LENGTH = "HTTP/1.1".length();
    private static final long HTTP_1_1 = Scan.word("HTTP/1.1");
    private static final long HTTP_1_0 = Scan.word("HTTP/1.0");
    private static final long HTTP = Scan.word("HTTP/");
    private static final long FIRST_FIVE = 0xff_ffff_ffffL;
    private static final long FIRST_FOUR = 0xffff_ffffL;
    private static final long GET = Scan.word("GET ");

    private final TargetCharacters characters;

    RequestLine(Set<Leniency> leniency) {
        characters =
                new TargetCharacters(
                        leniency.contains(Leniency.BROWSER_CHARACTERS_IN_PATH),
                        leniency.contains(Leniency.BROWSER_CHARACTERS_IN_QUERY),
                        leniency.contains(Leniency.BARE_PERCENT_IN_QUERY));
    }

    /// Returns the fault in a request line that is too long: in its method if that has not ended
    /// at `end`, otherwise in its target.
    static ProtocolError tooLong(byte[] buffer, int line, int end) {
        int at = line;
        while (at < end && ByteRules.token(buffer[at])) {
            at++;
        }
        return at == end ? Refusal.METHOD_TOO_LONG : Refusal.REQUEST_LINE_TOO_LONG;
    }

    /// Reads `buffer[line, end)`, which CRLF follows, into `head`, whose first byte is at `line`.
    ///
    /// @return the fault in the line, or null
    @Nullable ProtocolError read(byte[] buffer, int line, int end, RequestHeadWriter head) {
        if (end - line < SHORTEST) {
            return Refusal.REQUEST_LINE;
        }
        HttpVersion version;
        int targetEnd = end - VERSION_LENGTH - 1;
        long written = Scan.word(buffer, end - VERSION_LENGTH);
        if (written == HTTP_1_1 && buffer[targetEnd] == ' ') {
            version = HttpVersion.HTTP_1_1;
        } else if (written == HTTP_1_0 && buffer[targetEnd] == ' ') {
            version = HttpVersion.HTTP_1_0;
        } else {
            @Nullable ProtocolError wrong = checkVersion(buffer, line, end);
            if (wrong != null) {
                return wrong;
            }
            version = HttpVersion.HTTP_1_1; // a later minor version (RFC 9110 §2.5)
        }
        Method method;
        int targetAt;
        if ((Scan.word(buffer, line) & FIRST_FOUR) == GET) {
            method = Method.GET;
            targetAt = line + 4;
        } else {
            int space = Scan.indexOf(' ', buffer, line, end);
            @Nullable Method token = Method.of(buffer, line, space);
            if (token == null) {
                return Refusal.METHOD;
            }
            method = token;
            targetAt = space + 1;
        }
        if (method == Method.OTHER) {
            head.otherMethod(0, targetAt - 1 - line, version);
        } else {
            head.line(method, version);
        }
        if (targetAt >= targetEnd) {
            return Refusal.REQUEST_LINE;
        }
        return buffer[targetAt] == '/' && method != Method.CONNECT
                ? origin(buffer, targetAt, targetEnd, head)
                : otherForm(buffer, targetAt, targetEnd, method, head);
    }

    /// Returns the fault in a version other than 1.0 and 1.1, or null for a later minor version.
    private static @Nullable ProtocolError checkVersion(byte[] buffer, int line, int end) {
        int at = end;
        while (at > line && buffer[at - 1] != ' ') {
            at--;
        }
        boolean formed =
                end - at == VERSION_LENGTH
                        && (Scan.word(buffer, at) & FIRST_FIVE) == HTTP
                        && digit(buffer[at + 5])
                        && buffer[at + 6] == '.'
                        && digit(buffer[at + 7]);
        if (!formed) {
            return at == line ? Refusal.REQUEST_LINE : Refusal.VERSION;
        }
        return buffer[at + 5] == '1' ? null : Refusal.VERSION_UNKNOWN;
    }

    private @Nullable ProtocolError origin(
            byte[] buffer, int from, int to, RequestHeadWriter head) {
        int pathEnd = characters.pathEnd(buffer, from, to);
        if (pathEnd < to) {
            @Nullable ProtocolError wrong = checkQuery(buffer, pathEnd, to);
            if (wrong != null) {
                return wrong;
            }
        }
        return head.origin(buffer, from, to, pathEnd < to ? pathEnd + 1 : -1);
    }

    private @Nullable ProtocolError otherForm(
            byte[] buffer, int from, int to, Method method, RequestHeadWriter head) {
        if (method == Method.CONNECT) {
            boolean valid =
                    Authority.valid(buffer, from, to)
                            && Authority.named(buffer, from, to)
                            && Authority.hasPort(buffer, from, to);
            if (!valid) {
                return Refusal.CONNECT_TARGET;
            }
            head.authorityForm(buffer, from, to);
            return null;
        }
        if (to - from == 1 && buffer[from] == '*') {
            if (method != Method.OPTIONS) {
                return Refusal.ASTERISK;
            }
            head.asterisk(buffer, from);
            return null;
        }
        int scheme = schemeLength(buffer, from, to);
        return scheme > 0 ? absolute(buffer, from, to, from + scheme, head) : Refusal.TARGET_FORM;
    }

    private @Nullable ProtocolError absolute(
            byte[] buffer, int from, int to, int authority, RequestHeadWriter head) {
        int end = authority;
        while (end < to && buffer[end] != '/' && buffer[end] != '?' && buffer[end] != '#') {
            end++;
        }
        if (!Authority.valid(buffer, authority, end) || !Authority.named(buffer, authority, end)) {
            return Refusal.TARGET_AUTHORITY;
        }
        int pathEnd = characters.pathEnd(buffer, end, to);
        if (pathEnd < to) {
            @Nullable ProtocolError wrong = checkQuery(buffer, pathEnd, to);
            if (wrong != null) {
                return wrong;
            }
        }
        return head.absolute(buffer, from, to, authority, end, pathEnd < to ? pathEnd + 1 : -1);
    }

    /// Returns the length of `http://` or `https://` at `from`, ignoring case (RFC 3986 §3.1), or
    /// 0.
    private static int schemeLength(byte[] buffer, int from, int to) {
        return startsWith("http://", buffer, from, to)
                ? 7
                : startsWith("https://", buffer, from, to) ? 8 : 0;
    }

    private static boolean startsWith(String lowerCase, byte[] buffer, int from, int to) {
        if (to - from < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int b = buffer[from + i];
            int folded = b >= 'A' && b <= 'Z' ? b | 0x20 : b;
            if (folded != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Checks what follows the path: `?` and a query.
    private @Nullable ProtocolError checkQuery(byte[] buffer, int at, int to) {
        if (buffer[at] != '?') {
            return wrongInTarget(buffer[at]);
        }
        int end = characters.queryEnd(buffer, at + 1, to);
        return end == to ? null : wrongInTarget(buffer[end]);
    }

    private static ProtocolError wrongInTarget(int b) {
        return switch (b) {
            case '#' -> Refusal.FRAGMENT;
            case ' ', '\t' -> Refusal.REQUEST_LINE;
            default -> Refusal.TARGET;
        };
    }

    private static boolean digit(int b) {
        return b >= '0' && b <= '9';
    }
}
