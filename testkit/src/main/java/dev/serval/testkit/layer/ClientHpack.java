package dev.serval.testkit.layer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// HPACK (RFC 7541) of a client for tests: plain and slow, and written apart from that of the server.
/// It sends only literals, and reads everything. Owned by the thread of its test.
public final class ClientHpack {
    private static final String STATIC =
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

    /// The lengths of the Huffman codes of the bytes, as digits of base 36 (appendix B).
    private static final String LENGTHS =
            "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca"
                    + "d67777777777777777777777878djde6f56565666577666567655677777fbeds"
                    + "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn"
                    + "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq"
                    + "u";

    private static final List<Field> TABLE = new ArrayList<>();
    private static final Map<String, Character> CODES = new HashMap<>();

    private final List<Field> dynamic = new ArrayList<>(); // the newest first
    private int maxBytes = 4096;

    /// A field line.
    public record Field(String name, String value) {
        int size() {
            return name.length() + value.length() + 32;
        }
    }

    static {
        for (String entry : STATIC.lines().toList()) {
            int space = entry.indexOf(' ');
            TABLE.add(
                    space < 0
                            ? new Field(entry, "")
                            : new Field(entry.substring(0, space), entry.substring(space + 1)));
        }
        int code = 0;
        for (int bits = 1; bits <= 30; bits++) {
            for (int symbol = 0; symbol < LENGTHS.length(); symbol++) {
                if (Character.digit(LENGTHS.charAt(symbol), 36) == bits) {
                    String digits = Integer.toBinaryString(code++);
                    CODES.put("0".repeat(bits - digits.length()) + digits, (char) symbol);
                }
            }
            code <<= 1;
        }
    }

    /// Returns a block of literals without Huffman codes and without indexing.
    public static byte[] encode(List<Field> fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (Field field : fields) {
            block.write(0);
            string(block, field.name());
            string(block, field.value());
        }
        return block.toByteArray();
    }

    private static void string(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 0x7f) {
            block.write(bytes.length);
        } else {
            block.write(0x7f);
            int rest = bytes.length - 0x7f;
            while (rest >= 0x80) {
                block.write((rest & 0x7f) | 0x80);
                rest >>= 7;
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    /// Decodes a block.
    public List<Field> decode(byte[] block) {
        List<Field> fields = new ArrayList<>();
        Cursor at = new Cursor(block);
        while (at.next < block.length) {
            int first = block[at.next];
            if (first < 0) {
                fields.add(entry(at.integer(7)));
            } else if ((first & 0xe0) == 0x20) {
                maxBytes = at.integer(5);
                evict();
            } else {
                boolean adds = (first & 0x40) != 0;
                int index = at.integer(adds ? 6 : 4);
                String name = index == 0 ? at.string() : entry(index).name();
                Field field = new Field(name, at.string());
                fields.add(field);
                if (adds) {
                    dynamic.addFirst(field);
                    evict();
                }
            }
        }
        return fields;
    }

    private Field entry(int index) {
        return index <= TABLE.size() ? TABLE.get(index - 1) : dynamic.get(index - TABLE.size() - 1);
    }

    private void evict() {
        while (dynamic.stream().mapToInt(Field::size).sum() > maxBytes) {
            dynamic.removeLast();
        }
    }

    /// The place in a block.
    private static final class Cursor {
        final byte[] block;
        int next;

        Cursor(byte[] block) {
            this.block = block;
        }

        int integer(int prefixBits) {
            int most = (1 << prefixBits) - 1;
            int value = block[next++] & most;
            if (value < most) {
                return value;
            }
            int shift = 0;
            int b;
            do {
                b = block[next++];
                value += (b & 0x7f) << shift;
                shift += 7;
            } while (b < 0);
            return value;
        }

        String string() {
            boolean coded = block[next] < 0;
            int length = integer(7);
            String text = new String(block, next, length, StandardCharsets.ISO_8859_1);
            next += length;
            return coded ? decoded(text) : text;
        }

        private static String decoded(String coded) {
            StringBuilder text = new StringBuilder();
            StringBuilder code = new StringBuilder();
            for (int i = 0; i < coded.length(); i++) {
                for (int bit = 7; bit >= 0; bit--) {
                    code.append((coded.charAt(i) >> bit) & 1);
                    Character symbol = CODES.get(code.toString());
                    if (symbol != null) {
                        text.append(symbol.charValue());
                        code.setLength(0);
                    }
                }
            }
            if (code.length() > 7 || code.indexOf("0") >= 0) {
                throw new AssertionError("The padding of a Huffman code is wrong");
            }
            return text.toString();
        }
    }
}
