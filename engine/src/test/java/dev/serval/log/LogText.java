package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.ByteRules;
import java.io.ByteArrayOutputStream;
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
            if (b == '\\') {
                i++; // unescaped() checks what follows
            } else {
                assertThat(b).isNotEqualTo('"');
            }
        }
        assertThat(ByteRules.utf8(text, 0, text.length)).isTrue();
        assertThat(unescaped(text, escaping)).isNotNull();
    }

    /// Returns the value that was escaped.
    static byte[] unescaped(byte[] text, Escaping escaping) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        String all = new String(text, StandardCharsets.ISO_8859_1);
        int at = 0;
        while (at < all.length()) {
            if (all.charAt(at) != '\\') {
                value.write(all.charAt(at++));
            } else if (escaping != Escaping.JSON) {
                assertThat(all.substring(at, at + 2)).isEqualTo("\\x");
                value.write(Integer.parseInt(all.substring(at + 2, at + 4), 16));
                at += 4;
            } else if (all.charAt(at + 1) == 'u') {
                value.write(Integer.parseInt(all.substring(at + 2, at + 6), 16));
                at += 6;
            } else {
                assertThat("\"\\").contains(all.substring(at + 1, at + 2));
                value.write(all.charAt(at + 1));
                at += 2;
            }
        }
        return value.toByteArray();
    }
}
