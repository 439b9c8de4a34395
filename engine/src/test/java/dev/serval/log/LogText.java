package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;

/// Reads escaped values back.
final class LogText {
    private LogText() {}

    /// Checks that a value can neither end a line or a quoted value nor control a terminal.
    static void checkSafe(byte[] text, Escaping escaping) {
        for (int i = 0; i < text.length; i++) {
            int b = text[i] & 0xff;
            assertThat(b).isGreaterThanOrEqualTo(' ').isNotEqualTo(0x7f);
            assertThat(b < 0x80 || escaping == Escaping.JSON).isTrue();
            assertThat(b != ' ' || escaping != Escaping.HEX_AND_SPACES).isTrue();
            boolean control = b == 0xc2 && (text[i + 1] & 0xff) < 0xa0;
            assertThat(control).as("control character beyond ASCII").isFalse();
            if (b == '\\') {
                i++; // unescaped() checks what follows
            } else {
                assertThat(b).isNotEqualTo('"');
            }
        }
        assertThat(ByteRules.utf8(text, 0, text.length)).isTrue();
        assertThat(unescaped(text, escaping)).isNotNull();
    }

    /// Returns what a value stands for: a text in JSON, and otherwise its bytes as characters.
    static String meaning(byte[] value, Escaping escaping) {
        boolean utf8 = escaping == Escaping.JSON && ByteRules.utf8(value, 0, value.length);
        return new String(value, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    /// Returns the [#meaning] of the value that was escaped.
    static String unescaped(byte[] text, Escaping escaping) {
        StringBuilder value = new StringBuilder();
        String all = new String(text, StandardCharsets.UTF_8);
        int at = 0;
        while (at < all.length()) {
            if (all.charAt(at) != '\\') {
                value.append(all.charAt(at++));
            } else if (escaping != Escaping.JSON) {
                assertThat(all.substring(at, at + 2)).isEqualTo("\\x");
                value.append((char) Integer.parseInt(all.substring(at + 2, at + 4), 16));
                at += 4;
            } else if (all.charAt(at + 1) == 'u') {
                value.append((char) Integer.parseInt(all.substring(at + 2, at + 6), 16));
                at += 6;
            } else {
                assertThat("\"\\").contains(all.substring(at + 1, at + 2));
                value.append(all.charAt(at + 1));
                at += 2;
            }
        }
        return value.toString();
    }
}
