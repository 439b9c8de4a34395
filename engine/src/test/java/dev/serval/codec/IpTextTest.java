package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "127.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "1::",
                "1::8",
                "2001:db8::7",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "1:2:3::6:7:8",
                "ABCD:ef01::a",
                "::1.2.3.4",
                "1:2:3:4:5:6:1.2.3.4",
                "64:ff9b::192.0.2.33"
            })
    void readsWhatTheJdkReads(String text) {
        assertThat(read(text)).isEqualTo(InetAddress.ofLiteral(text));
    }

    @ParameterizedTest
    @CsvSource({"::ffff:10.0.0.5, 10.0.0.5", "::ffff:a00:5, 10.0.0.5"})
    void addressThatContainsIpv4IsThatAddress(String text, String four) {
        assertThat(read(text)).isEqualTo(InetAddress.ofLiteral(four));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.",
                ".1.2.3",
                "1..2.3",
                "256.1.1.1",
                "01.2.3.4",
                "0x1.2.3.4",
                "1.2.3.4 ",
                "1.2.3.-4",
                ":",
                ":1",
                "1:",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3.4:5",
                "unknown",
                "_hidden"
            })
    void refusesWhatIsNoAddress(String text) {
        assertThat(read(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "65535, 65535",
        "65536, -1",
        "00, -1",
        "080, -1",
        "'', -1",
        "-1, -1",
        "+1, -1",
        "99999999999, -1",
        "8x, -1"
    })
    void readsPorts(String text, int port) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(IpText.port(bytes, 0, bytes.length)).isEqualTo(port);
    }

    /// The text stands between signs that must not be read.
    private static @Nullable InetAddress read(String text) {
        byte[] bytes = ("1" + text + "1").getBytes(StandardCharsets.US_ASCII);
        return IpText.address(bytes, 1, bytes.length - 1);
    }
}
