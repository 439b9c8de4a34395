package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any text as an address or as an authority: there is no exception, both readers of IPv6 addresses
/// agree, and the JDK reads what we accept in the same way.
final class AddressFuzz {
    private static final String[] SAMPLES = {
        "127.0.0.1", "::1", "2001:db8::7", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::", "0:0::0:0",
        "fe80::1%eth0", "1:2:3:4:5:6:1.2.3.4", "256.1.1.1", "01.2.3.4", "12345::", ":::", ""
    };
    private static final String[] AUTHORITIES = {
        "example.org",
        "example.org:8080",
        "[::1]:80",
        "[2001:db8::7]",
        "[v1.a:b]",
        "a%41b:1",
        "a:",
        "user@host",
        "a b",
        "[::1",
        "xn--a.example:65536",
        "127.0.0.1:1",
        "_dmarc.a!$&'()*+,;=:9"
    };

    @FuzzTest(maxDuration = "20s")
    void address(byte[] bytes) {
        InetAddress six = IpText.six(bytes, 0, bytes.length);
        byte[] literal = bracketed(bytes);
        boolean future = bytes.length > 0 && (bytes[0] | 0x20) == 'v';
        boolean inner = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(']') >= 0;
        if (!future && !inner) {
            assertThat(Authority.valid(literal, 0, literal.length)).isEqualTo(six != null);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (six != null) {
            assertThat(Inet6Address.ofLiteral(text)).isEqualTo(six);
        }
        InetAddress four = IpText.four(bytes, 0, bytes.length);
        if (four != null) {
            assertThat(Inet4Address.ofLiteral(text)).isEqualTo(four);
            assertThat(four.getHostAddress()).isEqualTo(text);
        }
    }

    @FuzzTest(maxDuration = "20s")
    void authority(byte[] bytes) {
        if (!Authority.valid(bytes, 0, bytes.length) || !Authority.named(bytes, 0, bytes.length)) {
            return;
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).matches("[!-~]+").doesNotContain("/", "?", "#", "@", "\\");
        if (text.toLowerCase(Locale.ROOT).startsWith("[v")) {
            return; // java.net.URI does not know IPvFuture
        }
        assertThatCode(() ->
                        assertThat(new URI("http://" + text + "/a").getRawAuthority())
                                .isEqualTo(text))
                .doesNotThrowAnyException();
        boolean port = text.matches(".*:[0-9]+");
        assertThat(Authority.hasPort(bytes, 0, bytes.length)).isEqualTo(port);
    }

    @Test
    void scrambledSamplesAreReadAlike() {
        Scrambled.each(20_000, this::address, SAMPLES);
        Scrambled.each(20_000, this::authority, AUTHORITIES);
    }

    @Test
    void everyAddressIsReadFromItsText() throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] raw = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(raw);
            for (int zeros = random.nextInt(raw.length); zeros > 0; zeros--) {
                raw[random.nextInt(raw.length)] = 0;
            }
            InetAddress address = InetAddress.getByAddress(raw);
            byte[] text = address.getHostAddress().getBytes(StandardCharsets.US_ASCII);
            assertThat(IpText.address(text, 0, text.length)).isEqualTo(address);
        }
    }

    private static byte[] bracketed(byte[] bytes) {
        return ("[" + new String(bytes, StandardCharsets.ISO_8859_1) + "]")
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
