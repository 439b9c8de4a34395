package dev.serval.gateway.proxy;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;

/// Decides which fields concern only one connection and are not forwarded (RFC 9110 §7.6.1): the
/// known ones, and those that the Connection field names. Stateless.
final class HopFields {
    private static final boolean[] HOPS = hops();

    private HopFields() {}

    /// Returns whether field `i` is not forwarded.
    ///
    /// @param connection the index of the first Connection field, or -1
    static boolean drops(Fields fields, int i, int connection) {
        int id = fields.id(i);
        return (id >= 0 && HOPS[id]) || (connection >= 0 && isNamed(fields, i, connection));
    }

    /// Returns whether the Connection fields have this member, ignoring case.
    ///
    /// @param first the index of the first Connection field, or -1
    static boolean hasOption(Fields fields, int first, String lowerCase) {
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.CONNECTION, i + 1)) {
            if (hasMember(fields, i, lowerCase)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the list in value `i` has this member, ignoring case.
    static boolean hasMember(Fields fields, int i, String lowerCase) {
        byte[] bytes = fields.buffer();
        int end = fields.valueEnd(i);
        for (int at = fields.valueAt(i); at < end; at = next(bytes, at, end) + 1) {
            int from = skip(bytes, at, end);
            int to = memberEnd(bytes, from, end);
            if (to - from == lowerCase.length()) {
                int k = 0;
                while (k < lowerCase.length()
                        && ByteRules.lower(bytes[from + k]) == lowerCase.charAt(k)) {
                    k++;
                }
                if (k == lowerCase.length()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isNamed(Fields fields, int i, int connection) {
        byte[] bytes = fields.buffer();
        int nameAt = fields.nameAt(i);
        int length = fields.nameEnd(i) - nameAt;
        for (int c = connection; c >= 0; c = fields.indexOf(FieldName.CONNECTION, c + 1)) {
            int end = fields.valueEnd(c);
            for (int at = fields.valueAt(c); at < end; at = next(bytes, at, end) + 1) {
                int from = skip(bytes, at, end);
                if (memberEnd(bytes, from, end) - from == length
                        && equal(bytes, from, nameAt, length)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean equal(byte[] bytes, int a, int b, int length) {
        for (int i = 0; i < length; i++) {
            if (ByteRules.lower(bytes[a + i]) != ByteRules.lower(bytes[b + i])) {
                return false;
            }
        }
        return true;
    }

    /// Returns the comma after `from`, or the end.
    static int next(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != ',') {
            at++;
        }
        return at;
    }

    /// Returns the first byte from `from` on that is no space.
    static int skip(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    /// Returns the end of the list member that begins at `from`, without spaces.
    static int memberEnd(byte[] bytes, int from, int end) {
        int to = next(bytes, from, end);
        while (to > from && (bytes[to - 1] == ' ' || bytes[to - 1] == '\t')) {
            to--;
        }
        return to;
    }

    private static boolean[] hops() {
        boolean[] hops = new boolean[FieldName.count()];
        hops[FieldName.CONNECTION.id()] = true;
        hops[FieldName.KEEP_ALIVE.id()] = true;
        hops[FieldName.PROXY_CONNECTION.id()] = true;
        hops[FieldName.PROXY_AUTHENTICATE.id()] = true;
        hops[FieldName.PROXY_AUTHORIZATION.id()] = true;
        hops[FieldName.TE.id()] = true;
        hops[FieldName.TRANSFER_ENCODING.id()] = true;
        hops[FieldName.UPGRADE.id()] = true;
        hops[FieldName.HTTP2_SETTINGS.id()] = true;
        hops[FieldName.CONTENT_LENGTH.id()] = true; // the encoder writes its own
        return hops;
    }
}
