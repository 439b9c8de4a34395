package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranges of addresses, each at its edges.
final class AddressRangeTest {
    @ParameterizedTest(name = "{0}/{1} {2}")
    @CsvSource({
        "10.0.0.0, 8, 10.0.0.0, true",
        "10.0.0.0, 8, 10.255.255.255, true",
        "10.0.0.0, 8, 9.255.255.255, false",
        "10.0.0.0, 8, 11.0.0.0, false",
        "192.168.4.0, 22, 192.168.7.255, true",
        "192.168.4.0, 22, 192.168.8.0, false",
        "192.168.4.0, 22, 192.168.3.255, false",
        "192.168.4.9, 32, 192.168.4.9, true",
        "192.168.4.9, 32, 192.168.4.8, false",
        "192.168.4.9, 31, 192.168.4.8, true",
        "192.168.4.9, 31, 192.168.4.10, false",
        "0.0.0.0, 0, 203.0.113.7, true",
        "0.0.0.0, 0, ::1, false",
        "::, 0, 127.0.0.1, false",
        "fd00::, 8, fdff::1, true",
        "fd00::, 8, fe00::1, false",
        "fd00::1, 128, fd00::1, true",
        "fd00::1, 128, fd00::2, false",
        "fd00::, 65, fd00::7fff:0:0:1, true",
        "fd00::, 65, fd00::8000:0:0:1, false",
    })
    void hasTheAddressesWhoseFirstBitsAreItsOwn(
            String base, int bits, String address, boolean contained) {
        AddressRange range = new AddressRange(InetAddress.ofLiteral(base), bits);
        assertThat(range.contains(InetAddress.ofLiteral(address))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.5, 10.0.0.5", "10.0.0.0/8, 10.0.0.0/8", "fd00::/8, fd00:0:0:0:0:0:0:0/8"})
    void isReadFromText(String text, String range) {
        assertThat(AddressRange.of(text).text()).isEqualTo(range);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "proxy.example",
                "10.0.0",
                "10",
                "1.2.3/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "/8"
            })
    void textThatIsNoRangeIsRefused(String text) {
        assertThatThrownBy(() -> AddressRange.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\" is no address");
    }

    @Test
    void hasAsManyBitsAsItsAddressAtMost() {
        InetAddress four = InetAddress.ofLiteral("10.0.0.0");
        assertThat(new AddressRange(four, 32).text()).isEqualTo("10.0.0.0");
        assertThatThrownBy(() -> new AddressRange(four, 33))
                .hasMessage("A range of 10.0.0.0 has from 0 to 32 bits");
        assertThatThrownBy(() -> new AddressRange(four, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
