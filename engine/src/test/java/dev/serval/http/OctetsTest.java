package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

final class OctetsTest {
    private static final String LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    @Test
    void knowsEveryClass() {
        assertClass(Octets::token, LETTERS + "!#$%&'*+-.^_`|~");
        assertClass(Octets::path, LETTERS + "-._~%!$&'()*+,;=:@/");
        assertClass(Octets::query, LETTERS + "-._~%!$&'()*+,;=:@/?");
        assertClass(Octets::host, LETTERS + "-._~!$&'()*+,;=");
        assertClass(Octets::hex, "0123456789ABCDEFabcdef");
        StringBuilder field = new StringBuilder("\t");
        for (char c = ' '; c < 256; c++) {
            field.append(c == 0x7f ? "" : c);
        }
        assertClass(Octets::field, field.toString());
    }

    @Test
    void knowsDigits() {
        for (int octet = 0; octet < 256; octet++) {
            assertThat(Octets.digit(octet)).isEqualTo(Character.digit(octet, 16));
        }
    }

    /// Octets with and without sign, and characters past 255, which are in no class.
    private static void assertClass(IntPredicate kind, String members) {
        for (int c = 0; c < 1024; c++) {
            assertThat(kind.test(c)).as("%d", c).isEqualTo(members.indexOf(c) >= 0);
        }
        for (int octet = -128; octet < 0; octet++) {
            assertThat(kind.test(octet)).isEqualTo(members.indexOf(octet & 0xff) >= 0);
        }
    }
}
