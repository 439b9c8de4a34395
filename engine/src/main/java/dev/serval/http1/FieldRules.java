package dev.serval.http1;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Evaluates the fields that frame a message, in requests and responses (RFC 9112 §6, §9).
/// Stateless.
final class FieldRules {
    private static final String CHUNKED = "chunked";
    private static final String IDENTITY = "identity";

    private FieldRules() {}

    /// Returns the fault in the transfer codings, or null if they are exactly `chunked`. Field
    /// `first` is their first line. Empty members are refused too: two readers may disagree if only
    /// one drops them.
    static @Nullable ProtocolError checkCodings(Fields fields, int first) {
        boolean chunked = false;
        boolean other = false;
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.TRANSFER_ENCODING, i + 1)) {
            byte[] bytes = fields.buffer();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at <= lineEnd) {
                int end = Scan.indexOf(',', bytes, at, lineEnd);
                int from = FieldLines.skipBlank(bytes, at, end);
                int to = FieldLines.trimBlank(bytes, from, end);
                if (chunked || !coding(bytes, from, to)) {
                    return Refusal.CODING;
                }
                chunked = is(CHUNKED, bytes, from, to);
                other |= !chunked;
                at = end + 1;
            }
        }
        if (other) {
            return Refusal.CODING_UNKNOWN;
        }
        return chunked ? null : Refusal.CODING;
    }

    /// Returns whether the only transfer coding is `identity`, which RFC 2616 §3.6 had for none. Field
    /// `first` is its first line.
    static boolean isIdentity(Fields fields, int first) {
        return is(IDENTITY, fields.buffer(), fields.valueAt(first), fields.valueEnd(first))
                && fields.indexOf(FieldName.TRANSFER_ENCODING, first + 1) < 0;
    }

    /// Returns whether all fields of that name have the bytes of the first one (RFC 9112 §6.3).
    static boolean areEqual(Fields fields, FieldName name, int first) {
        byte[] bytes = fields.buffer();
        int from = fields.valueAt(first);
        int to = fields.valueEnd(first);
        for (int i = fields.indexOf(name, first + 1); i >= 0; i = fields.indexOf(name, i + 1)) {
            if (!Arrays.equals(bytes, from, to, bytes, fields.valueAt(i), fields.valueEnd(i))) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the list in the fields of that name has the member, ignoring case. Field
    /// `first` is the first of them.
    static boolean hasMember(Fields fields, FieldName name, int first, String lowerCase) {
        for (int i = first; i >= 0; i = fields.indexOf(name, i + 1)) {
            byte[] bytes = fields.buffer();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at < lineEnd) {
                int end = Scan.indexOf(',', bytes, at, lineEnd);
                int from = FieldLines.skipBlank(bytes, at, end);
                if (is(lowerCase, bytes, from, FieldLines.trimBlank(bytes, from, end))) {
                    return true;
                }
                at = end + 1;
            }
        }
        return false;
    }

    /// Returns whether every member of that list is a token. Empty members are ignored
    /// (RFC 9110 §5.6.1.2).
    static boolean tokens(Fields fields, FieldName name, int first) {
        for (int i = first; i >= 0; i = fields.indexOf(name, i + 1)) {
            byte[] bytes = fields.buffer();
            int lineEnd = fields.valueEnd(i);
            int at = fields.valueAt(i);
            while (at < lineEnd) {
                int end = Scan.indexOf(',', bytes, at, lineEnd);
                int from = FieldLines.skipBlank(bytes, at, end);
                int to = FieldLines.trimBlank(bytes, from, end);
                if (from < to && tokenEnd(bytes, from, to) < to) {
                    return false;
                }
                at = end + 1;
            }
        }
        return true;
    }

    /// Returns whether the bytes are a transfer coding with or without parameters. `chunked` has
    /// none (§7.1).
    private static boolean coding(byte[] bytes, int from, int to) {
        int end = tokenEnd(bytes, from, to);
        if (end == from || end == to) {
            return end > from;
        }
        int next = FieldLines.skipBlank(bytes, end, to);
        return bytes[next] == ';' && !is(CHUNKED, bytes, from, end);
    }

    private static int tokenEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && ByteRules.token(bytes[end])) {
            end++;
        }
        return end;
    }

    private static boolean is(String lowerCase, byte[] bytes, int from, int to) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int b = bytes[from + i];
            int folded = b >= 'A' && b <= 'Z' ? b | 0x20 : b;
            if (folded != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
