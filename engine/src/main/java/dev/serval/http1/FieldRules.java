package dev.serval.http1;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Octets;
import dev.serval.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// What fields that frame a message say, for requests and responses alike (RFC 9112 §6, §9).
/// Stateless.
final class FieldRules {
    private static final String CHUNKED = "chunked";

    private FieldRules() {}

    /// The number that value `i` is, all of it digits (RFC 9110 §8.6), or -1.
    static long number(Fields fields, int i) {
        byte[] octets = fields.octets();
        int to = fields.valueEnd(i);
        int from = fields.valueAt(i);
        long value = from == to ? -1 : 0;
        for (int at = from; at < to; at++) {
            int digit = octets[at] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /// What is wrong with the transfer codings, of which the first line is field `first`; null where
    /// they are exactly `chunked`. Empty members are refused too: a reader that drops them may
    /// disagree with one that does not.
    static @Nullable ProtocolError checkCodings(Fields fields, int first) {
        boolean chunked = false;
        boolean other = false;
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.TRANSFER_ENCODING, i + 1)) {
            byte[] octets = fields.octets();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at <= lineEnd) {
                int end = Scan.indexOf(',', octets, at, lineEnd);
                int from = FieldLines.skipBlank(octets, at, end);
                int to = FieldLines.trimBlank(octets, from, end);
                if (chunked || !coding(octets, from, to)) {
                    return Refusal.CODING;
                }
                chunked = is(CHUNKED, octets, from, to);
                other |= !chunked;
                at = end + 1;
            }
        }
        if (other) {
            return Refusal.CODING_UNKNOWN;
        }
        return chunked ? null : Refusal.CODING;
    }

    /// Whether the list in the lines of that name, of which the first is field `first`, has the
    /// member, letters in any case.
    static boolean hasMember(Fields fields, FieldName name, int first, String lowerCase) {
        for (int i = first; i >= 0; i = fields.indexOf(name, i + 1)) {
            byte[] octets = fields.octets();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at < lineEnd) {
                int end = Scan.indexOf(',', octets, at, lineEnd);
                int from = FieldLines.skipBlank(octets, at, end);
                if (is(lowerCase, octets, from, FieldLines.trimBlank(octets, from, end))) {
                    return true;
                }
                at = end + 1;
            }
        }
        return false;
    }

    /// Whether every member of that list is a token; empty ones are passed over (RFC 9110 §5.6.1.2).
    static boolean tokens(Fields fields, FieldName name, int first) {
        for (int i = first; i >= 0; i = fields.indexOf(name, i + 1)) {
            byte[] octets = fields.octets();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at < lineEnd) {
                int end = Scan.indexOf(',', octets, at, lineEnd);
                int from = FieldLines.skipBlank(octets, at, end);
                int to = FieldLines.trimBlank(octets, from, end);
                if (from < to && tokenEnd(octets, from, to) < to) {
                    return false;
                }
                at = end + 1;
            }
        }
        return true;
    }

    /// Whether it is a transfer coding with or without parameters; `chunked` has none (§7.1).
    private static boolean coding(byte[] octets, int from, int to) {
        int end = tokenEnd(octets, from, to);
        if (end == from || end == to) {
            return end > from;
        }
        int next = FieldLines.skipBlank(octets, end, to);
        return octets[next] == ';' && !is(CHUNKED, octets, from, end);
    }

    private static int tokenEnd(byte[] octets, int from, int to) {
        int end = from;
        while (end < to && Octets.token(octets[end])) {
            end++;
        }
        return end;
    }

    private static boolean is(String lowerCase, byte[] octets, int from, int to) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int octet = octets[from + i];
            int folded = octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
            if (folded != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
