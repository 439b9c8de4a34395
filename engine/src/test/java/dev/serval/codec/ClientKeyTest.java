package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientKeyTest {
    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2::1, 2001:db8:1:2:ffff::9, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "2001:db8::1, 2001:db8::9, true",
        "192.0.2.7, 192.0.2.8, false",
        "192.0.2.7, ::ffff:192.0.2.7, true",
        "192.0.2.7, ::192.0.2.7, false",
        "255.255.255.255, 0.0.0.0, false",
        "::1, 192.0.2.7, false",
        "fe80::1, fe80::2%eth0, true"
    })
    void tellsClientsApart(String one, String other, boolean same) {
        assertThat(ClientKey.text(one).equals(ClientKey.text(other))).isEqualTo(same);
        String withoutZone = other.replaceAll("%.*", "");
        assertThat(
                        ClientKey.of(InetAddress.ofLiteral(one))
                                == ClientKey.of(InetAddress.ofLiteral(withoutZone)))
                .isEqualTo(same);
    }

    /// The JDK makes addresses of IPv4 of most of these.
    @Test
    void ipv4InsideOfIpv6IsThatAddress() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 7};
        InetAddress six = Inet6Address.getByAddress(null, mapped, 1);
        assertThat(six).isInstanceOf(Inet6Address.class);
        assertThat(ClientKey.of(six)).isEqualTo(ClientKey.of(InetAddress.ofLiteral("192.0.2.7")));
    }

    @Test
    void everyClientHasAKey() {
        assertThat(ClientKey.of(InetAddress.ofLiteral("::"))).isNotEqualTo(ClientKey.NONE);
        assertThat(ClientKey.of(InetAddress.ofLiteral("0.0.0.0"))).isNotEqualTo(ClientKey.NONE);
    }

    @ParameterizedTest
    @CsvSource({"unix:", "a.test", "1.2.3", "''"})
    void otherTextsStandForThemselves(String text) {
        assertThat(ClientKey.text(text)).isEqualTo(text);
    }
}
