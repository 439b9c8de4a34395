package dev.serval.gateway.cgi;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;

/// The fields that tell who the client of a proxy is (RFC 7239): Forwarded, `X-Forwarded-…` and
/// `X-Real-IP…`. Those that an untrusted client has sent do not reach applications in other
/// processes. Stateless.
public final class ForwardingFields {
    private static final String X_FORWARDED = "x-forwarded-";
    private static final String X_REAL_IP = "x-real-ip";

    private ForwardingFields() {}

    /// Returns whether field `i` is one of them, also for programs that confuse signs in names.
    public static boolean has(Fields fields, int i) {
        int id = fields.id(i);
        if (id >= 0) {
            return id == FieldName.FORWARDED.id()
                    || id == FieldName.X_FORWARDED_FOR.id()
                    || id == FieldName.X_FORWARDED_HOST.id()
                    || id == FieldName.X_FORWARDED_PROTO.id();
        }
        return beginsWith(fields, i, X_FORWARDED) || beginsWith(fields, i, X_REAL_IP);
    }

    /// Returns whether the name of field `i` begins with a text, ignoring case. Signs in it count as
    /// `-`, as some programs read them.
    public static boolean beginsWith(Fields fields, int i, String lowerCase) {
        int at = fields.nameAt(i);
        if (fields.nameEnd(i) - at < lowerCase.length()) {
            return false;
        }
        for (int k = 0; k < lowerCase.length(); k++) {
            int b = fields.buffer()[at + k];
            int read = isAlphanumeric(b) ? b | 0x20 : '-';
            if (read != lowerCase.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether a byte of a name is a letter or digit of ASCII.
    public static boolean isAlphanumeric(int b) {
        int lower = b | 0x20;
        return (lower >= 'a' && lower <= 'z') || (b >= '0' && b <= '9');
    }
}
