package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AddressTextTest {
    private static String text(String address, boolean shortened) throws UnknownHostException {
        InetAddress ip = InetAddress.getByName(address);
        return new String(
                AddressText.of(new InetSocketAddress(ip, 80), shortened),
                StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "192.0.2.255, 192.0.2.255",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "2001:db8:0:0:0:0:0:0, 2001:db8::",
        "2001:0DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "fe80:0:0:0:1:2:3:4, fe80::1:2:3:4",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::"
    })
    void writesTheFormsOfRfc5952(String address, String expected) throws UnknownHostException {
        assertThat(text(address, false)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.77, 192.0.2.0",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1::",
        "0:0:0:0:0:0:0:1, ::"
    })
    void namesOnlyTheNetworkIfShortened(String address, String expected)
            throws UnknownHostException {
        assertThat(text(address, true)).isEqualTo(expected);
    }

    @Test
    void namesUnixDomainSockets() {
        assertThat(AddressText.of(UnixDomainSocketAddress.of("/run/a"), false))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("unix:");
    }
}
