package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

final class ByteRulesTest {
    private static final String LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    @Test
    void knowsEveryClass() {
        assertClass(ByteRules::token, LETTERS + "!#$%&'*+-.^_`|~");
        assertClass(ByteRules::path, LETTERS + "-._~%!$&'()*+,;=:@/");
        assertClass(ByteRules::query, LETTERS + "-._~%!$&'()*+,;=:@/?");
        assertClass(ByteRules::host, LETTERS + "-._~!$&'()*+,;=");
        assertClass(ByteRules::hex, "0123456789ABCDEFabcdef");
        StringBuilder field = new StringBuilder("\t");
        for (char c = ' '; c < 256; c++) {
            field.append(c == 0x7f ? "" : c);
        }
        assertClass(ByteRules::field, field.toString());
    }

    @Test
    void knowsDigits() {
        for (int b = 0; b < 256; b++) {
            assertThat(ByteRules.digit(b)).isEqualTo(Character.digit(b, 16));
        }
    }

    /// Checks all bytes, signed and unsigned, and characters above 255, which are in no class.
    private static void assertClass(IntPredicate kind, String members) {
        for (int c = 0; c < 1024; c++) {
            assertThat(kind.test(c)).as("%d", c).isEqualTo(members.indexOf(c) >= 0);
        }
        for (int b = -128; b < 0; b++) {
            assertThat(kind.test(b)).isEqualTo(members.indexOf(b & 0xff) >= 0);
        }
    }
}
