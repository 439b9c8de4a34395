package dev.serval.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A field name (RFC 9110 §5.1) that Serval knows. Known names are interned: they are compared with
/// `==`, and a look-up in received bytes creates no String. Unknown names stay bytes in [Fields].
/// Sections without the number of an RFC are those of RFC 9110. Immutable.
public final class FieldName {
    private static final int TABLE_BITS = 9;
    private static final int TABLE_SIZE = 1 << TABLE_BITS;
    private static final long CASES = 0x2020202020202020L;
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final List<FieldName> ALL = new ArrayList<>();
    private static final @Nullable FieldName[] TABLE = new @Nullable FieldName[TABLE_SIZE];

    /// §12.5.1
    public static final FieldName ACCEPT = known("Accept");

    /// §12.5.3
    public static final FieldName ACCEPT_ENCODING = known("Accept-Encoding");

    /// §12.5.4
    public static final FieldName ACCEPT_LANGUAGE = known("Accept-Language");

    /// §14.3
    public static final FieldName ACCEPT_RANGES = known("Accept-Ranges");

    /// RFC 9111 §5.1
    public static final FieldName AGE = known("Age");

    /// §10.2.1
    public static final FieldName ALLOW = known("Allow");

    /// RFC 7838
    public static final FieldName ALT_SVC = known("Alt-Svc");

    /// §11.6.2
    public static final FieldName AUTHORIZATION = known("Authorization");

    /// RFC 9111 §5.2
    public static final FieldName CACHE_CONTROL = known("Cache-Control");

    /// §7.6.1
    public static final FieldName CONNECTION = known("Connection");

    /// RFC 6266
    public static final FieldName CONTENT_DISPOSITION = known("Content-Disposition");

    /// §8.4
    public static final FieldName CONTENT_ENCODING = known("Content-Encoding");

    /// §8.5
    public static final FieldName CONTENT_LANGUAGE = known("Content-Language");

    /// §8.6
    public static final FieldName CONTENT_LENGTH = known("Content-Length");

    /// §8.7
    public static final FieldName CONTENT_LOCATION = known("Content-Location");

    /// §14.4
    public static final FieldName CONTENT_RANGE = known("Content-Range");

    /// CSP Level 3
    public static final FieldName CONTENT_SECURITY_POLICY = known("Content-Security-Policy");

    /// §8.3
    public static final FieldName CONTENT_TYPE = known("Content-Type");

    /// RFC 6265 §4.2
    public static final FieldName COOKIE = known("Cookie");

    /// §6.6.1
    public static final FieldName DATE = known("Date");

    /// §8.8.3
    public static final FieldName ETAG = known("ETag");

    /// §10.1.1
    public static final FieldName EXPECT = known("Expect");

    /// RFC 9111 §5.3
    public static final FieldName EXPIRES = known("Expires");

    /// RFC 7239
    public static final FieldName FORWARDED = known("Forwarded");

    /// §7.2
    public static final FieldName HOST = known("Host");

    /// RFC 7540 §3.2.1, the predecessor of RFC 9113
    public static final FieldName HTTP2_SETTINGS = known("HTTP2-Settings");

    /// §13.1.1
    public static final FieldName IF_MATCH = known("If-Match");

    /// §13.1.3
    public static final FieldName IF_MODIFIED_SINCE = known("If-Modified-Since");

    /// §13.1.2
    public static final FieldName IF_NONE_MATCH = known("If-None-Match");

    /// §13.1.5
    public static final FieldName IF_RANGE = known("If-Range");

    /// §13.1.4
    public static final FieldName IF_UNMODIFIED_SINCE = known("If-Unmodified-Since");

    /// RFC 9112 §C.2.2
    public static final FieldName KEEP_ALIVE = known("Keep-Alive");

    /// §8.8.2
    public static final FieldName LAST_MODIFIED = known("Last-Modified");

    /// RFC 8288
    public static final FieldName LINK = known("Link");

    /// §10.2.2
    public static final FieldName LOCATION = known("Location");

    /// §7.6.2
    public static final FieldName MAX_FORWARDS = known("Max-Forwards");

    /// RFC 6454
    public static final FieldName ORIGIN = known("Origin");

    /// RFC 9111 §5.4
    public static final FieldName PRAGMA = known("Pragma");

    /// RFC 9218
    public static final FieldName PRIORITY = known("Priority");

    /// §11.7.1
    public static final FieldName PROXY_AUTHENTICATE = known("Proxy-Authenticate");

    /// §11.7.2
    public static final FieldName PROXY_AUTHORIZATION = known("Proxy-Authorization");

    /// De facto: some clients send it in place of Connection; never forwarded.
    public static final FieldName PROXY_CONNECTION = known("Proxy-Connection");

    /// §14.2
    public static final FieldName RANGE = known("Range");

    /// §10.1.3
    public static final FieldName REFERER = known("Referer");

    /// §10.2.3
    public static final FieldName RETRY_AFTER = known("Retry-After");

    /// Client hints, as browsers send them.
    public static final FieldName SEC_CH_UA = known("sec-ch-ua");

    /// Client hints.
    public static final FieldName SEC_CH_UA_MOBILE = known("sec-ch-ua-mobile");

    /// Client hints.
    public static final FieldName SEC_CH_UA_PLATFORM = known("sec-ch-ua-platform");

    /// Fetch metadata.
    public static final FieldName SEC_FETCH_DEST = known("Sec-Fetch-Dest");

    /// Fetch metadata.
    public static final FieldName SEC_FETCH_MODE = known("Sec-Fetch-Mode");

    /// Fetch metadata.
    public static final FieldName SEC_FETCH_SITE = known("Sec-Fetch-Site");

    /// Fetch metadata.
    public static final FieldName SEC_FETCH_USER = known("Sec-Fetch-User");

    /// §10.2.4
    public static final FieldName SERVER = known("Server");

    /// RFC 6265 §4.1
    public static final FieldName SET_COOKIE = known("Set-Cookie");

    /// RFC 6797
    public static final FieldName STRICT_TRANSPORT_SECURITY = known("Strict-Transport-Security");

    /// §10.1.4
    public static final FieldName TE = known("TE");

    /// §6.6.2
    public static final FieldName TRAILER = known("Trailer");

    /// RFC 9112 §6.1
    public static final FieldName TRANSFER_ENCODING = known("Transfer-Encoding");

    /// §7.8
    public static final FieldName UPGRADE = known("Upgrade");

    /// Upgrade Insecure Requests
    public static final FieldName UPGRADE_INSECURE_REQUESTS = known("Upgrade-Insecure-Requests");

    /// §10.1.5
    public static final FieldName USER_AGENT = known("User-Agent");

    /// §12.5.5
    public static final FieldName VARY = known("Vary");

    /// §7.6.3
    public static final FieldName VIA = known("Via");

    /// §11.6.1
    public static final FieldName WWW_AUTHENTICATE = known("WWW-Authenticate");

    /// De facto: the internal path whose file the server sends in place of the response.
    public static final FieldName X_ACCEL_REDIRECT = known("X-Accel-Redirect");

    /// Fetch standard
    public static final FieldName X_CONTENT_TYPE_OPTIONS = known("X-Content-Type-Options");

    /// De facto; predates RFC 7239.
    public static final FieldName X_FORWARDED_FOR = known("X-Forwarded-For");

    /// De facto; predates RFC 7239.
    public static final FieldName X_FORWARDED_HOST = known("X-Forwarded-Host");

    /// De facto; predates RFC 7239.
    public static final FieldName X_FORWARDED_PROTO = known("X-Forwarded-Proto");

    /// De facto.
    public static final FieldName X_REQUEST_ID = known("X-Request-ID");

    /// De facto.
    public static final FieldName X_REQUESTED_WITH = known("X-Requested-With");

    /// De facto: the file that the server sends in place of the response.
    public static final FieldName X_SENDFILE = known("X-Sendfile");

    private final String text;
    private final byte[] bytes;
    private final int id;
    private final int length;
    private final int words;
    private final long[] lower; // 8 bytes a word; the last word holds the last 8 bytes
    private final long[] letters; // the case bit of each byte that is a letter
    private final long firstLower; // copies of the first and last words: most
    private final long firstLetters; // names have no others, so no array is read
    private final long lastLower;
    private final long lastLetters;

    private FieldName(String text, int id) {
        this.text = text;
        this.id = id;
        this.bytes = text.getBytes(StandardCharsets.US_ASCII);
        this.length = bytes.length;
        this.words = (length + 7) / 8;
        this.lower = new long[words];
        this.letters = new long[words];
        byte[] padded = Arrays.copyOf(bytes, Math.max(length, 8));
        for (int i = 0; i < words; i++) {
            int at = Math.max(0, Math.min(8 * i, length - 8));
            letters[i] = letters(padded, at);
            lower[i] = word(padded, at) | letters[i];
        }
        this.firstLower = lower[0];
        this.firstLetters = letters[0];
        this.lastLower = lower[words - 1];
        this.lastLetters = letters[words - 1];
    }

    /// Returns the name as the RFC writes it, such as `Content-Length`.
    public String text() {
        return text;
    }

    /// Returns the index of this name among the known names, from 0.
    public int id() {
        return id;
    }

    /// Returns the length of [#text] in bytes.
    public int length() {
        return length;
    }

    /// Copies [#text] to `into` at `at`.
    ///
    /// @return the index after the copied bytes
    public int copyTo(byte[] into, int at) {
        System.arraycopy(bytes, 0, into, at, length);
        return at + length;
    }

    /// Returns how many names are known. Every [#id] is smaller.
    public static int count() {
        return ALL.size();
    }

    /// Returns the name with that id.
    public static FieldName byId(int id) {
        return ALL.get(id);
    }

    /// Returns the known name that equals `bytes[from, to)`, ignoring case (§5.1), or null.
    /// Compares eight bytes at a time, with one branch if the name is the first in its slot:
    /// `HeadParseBenchmark.strangers`.
    public static @Nullable FieldName of(byte[] bytes, int from, int to) {
        if (to <= from) {
            return null;
        }
        if (from + 8 > bytes.length) { // too close to the array's end to read a whole word
            return of(Arrays.copyOfRange(bytes, from, from + 8), 0, to - from);
        }
        int length = to - from;
        long mask = -1L >>> (8 * Math.max(0, 8 - length)); // for a name shorter than a word
        long first = word(bytes, from) & mask;
        long last = word(bytes, Math.max(from, to - 8)) & mask;
        int at = slot(first, last);
        @Nullable FieldName name = TABLE[at];
        while (name != null) {
            if (name.matches(first, last, length) && name.matchesBetween(bytes, from)) {
                return name;
            }
            at = (at + 1) & (TABLE_SIZE - 1);
            name = TABLE[at];
        }
        return null;
    }

    /// Returns the known name equal to `text`, ignoring case, or null.
    public static @Nullable FieldName of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return of(bytes, 0, bytes.length);
    }

    @Override
    public String toString() {
        return text;
    }

    private boolean matches(long first, long last, int length) {
        long differences =
                ((first | firstLetters) ^ firstLower)
                        | ((last | lastLetters) ^ lastLower)
                        | (length ^ this.length);
        return differences == 0;
    }

    /// Returns whether the words between the first and the last match too.
    private boolean matchesBetween(byte[] other, int from) {
        for (int i = 1; i < words - 1; i++) {
            if ((word(other, from + 8 * i) | letters[i]) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    private static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    private static long letters(byte[] bytes, int from) {
        long letters = 0;
        for (int i = 0; i < 8; i++) {
            int lower = bytes[from + i] | 0x20;
            if (lower >= 'a' && lower <= 'z') {
                letters |= 0x20L << (8 * i);
            }
        }
        return letters;
    }

    private static int slot(long first, long last) {
        long folded = (first | CASES) + (last | CASES);
        return (int) ((folded * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - TABLE_BITS));
    }

    private static FieldName known(String text) {
        FieldName name = new FieldName(text, ALL.size());
        ALL.add(name);
        int length = name.length;
        byte[] padded = Arrays.copyOf(name.bytes, Math.max(length, 8));
        int at = slot(word(padded, 0), word(padded, Math.max(0, length - 8)));
        while (TABLE[at] != null) {
            at = (at + 1) & (TABLE_SIZE - 1);
        }
        TABLE[at] = name;
        return name;
    }
}
