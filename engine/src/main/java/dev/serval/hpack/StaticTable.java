package dev.serval.hpack;

import dev.serval.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The table of RFC 7541 appendix A. Its entries have the indices from 1 to [#SIZE]. Stateless.
final class StaticTable {
    static final int SIZE = 61;

    /// The index of `:status 200`.
    static final int STATUS_200 = 8;

    private static final String ENTRIES =
            """
            :authority
            :method GET
            :method POST
            :path /
            :path /index.html
            :scheme http
            :scheme https
            :status 200
            :status 204
            :status 206
            :status 304
            :status 400
            :status 404
            :status 500
            accept-charset
            accept-encoding gzip, deflate
            accept-language
            accept-ranges
            accept
            access-control-allow-origin
            age
            allow
            authorization
            cache-control
            content-disposition
            content-encoding
            content-language
            content-length
            content-location
            content-range
            content-type
            cookie
            date
            etag
            expect
            expires
            from
            host
            if-match
            if-modified-since
            if-none-match
            if-range
            if-unmodified-since
            last-modified
            link
            location
            max-forwards
            proxy-authenticate
            proxy-authorization
            range
            referer
            refresh
            retry-after
            server
            set-cookie
            strict-transport-security
            transfer-encoding
            user-agent
            vary
            via
            www-authenticate
            """;

    private static final byte[][] NAMES = new byte[SIZE + 1][];
    private static final byte[][] VALUES = new byte[SIZE + 1][];
    private static final @Nullable FieldName[] KNOWN = new @Nullable FieldName[SIZE + 1];
    private static final byte[] BY_ID = new byte[FieldName.count()];
    private static final byte[] NONE = {};

    static {
        NAMES[0] = NONE;
        VALUES[0] = NONE;
        int index = 0;
        for (String entry : ENTRIES.lines().toList()) {
            index++;
            int space = entry.indexOf(' ');
            NAMES[index] = bytes(space < 0 ? entry : entry.substring(0, space));
            VALUES[index] = space < 0 ? NONE : bytes(entry.substring(space + 1));
            KNOWN[index] = FieldName.of(NAMES[index], 0, NAMES[index].length);
            @Nullable FieldName known = KNOWN[index];
            if (known != null) {
                BY_ID[known.id()] = (byte) index; // no known name has two entries
            }
        }
    }

    private StaticTable() {}

    /// Returns the name of an entry.
    static byte[] name(int index) {
        return NAMES[index];
    }

    /// Returns the value of an entry.
    static byte[] value(int index) {
        return VALUES[index];
    }

    /// Returns the known name of an entry, or null.
    static @Nullable FieldName known(int index) {
        return KNOWN[index];
    }

    /// Returns the index of the first entry with that name, or 0.
    static int find(FieldName name) {
        return BY_ID[name.id()];
    }

    /// Returns the index of the first entry with that name, which is no known name, or 0.
    static int find(byte[] from, int at, int end) {
        for (int index = 1; index <= SIZE; index++) {
            byte[] name = NAMES[index];
            if (name.length == end - at && Arrays.equals(name, 0, name.length, from, at, end)) {
                return index;
            }
        }
        return 0;
    }

    /// Returns the index of the entry that has that value, and the same name as the entry `first`, or
    /// 0.
    static int find(int first, byte[] from, int at, int end) {
        byte[] name = NAMES[first];
        for (int index = first; index <= SIZE && Arrays.equals(NAMES[index], name); index++) {
            byte[] value = VALUES[index];
            if (value.length > 0 && Arrays.equals(value, 0, value.length, from, at, end)) {
                return index;
            }
        }
        return 0;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
