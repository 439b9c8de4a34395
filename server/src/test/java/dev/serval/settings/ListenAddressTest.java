package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

final class ListenAddressTest {
    @Test
    void urlIsThatForABrowser() {
        assertThat(ListenAddress.url(at("127.0.0.1", 80))).isEqualTo("http://127.0.0.1:80");
        assertThat(ListenAddress.url(at("::1", 80))).isEqualTo("http://[::1]:80");
        assertThat(ListenAddress.url(at("2001:db8::10:0:3", 80)))
                .isEqualTo("http://[2001:db8::10:0:3]:80");
        assertThat(ListenAddress.url(at("2001:db8:1:2:3:4:5:0", 80)))
                .isEqualTo("http://[2001:db8:1:2:3:4:5:0]:80");
        assertThat(ListenAddress.url(at("0.0.0.0", 80))).isEqualTo("http://localhost:80");
        assertThat(ListenAddress.url(UnixDomainSocketAddress.of("/run/s")))
                .isEqualTo("unix:/run/s");
    }

    @Test
    void reachableExcludesLoopbackAndSocketFiles() {
        assertThat(ListenAddress.reachable(at("0.0.0.0", 80))).isTrue();
        assertThat(ListenAddress.reachable(at("192.0.2.1", 80))).isTrue();
        assertThat(ListenAddress.reachable(at("127.0.0.2", 80))).isFalse();
        assertThat(ListenAddress.reachable(UnixDomainSocketAddress.of("/run/s"))).isFalse();
    }

    @Test
    void allAddressesOverlapWithEach() {
        for (String pair :
                new String[] {"0.0.0.0 127.0.0.1", ":: 127.0.0.1", ":: ::1", ":: 0.0.0.0"}) {
            String[] two = pair.split(" ", 2);
            assertThat(ListenAddress.overlap(at(two[0], 80), at(two[1], 80))).isTrue();
            assertThat(ListenAddress.overlap(at(two[1], 80), at(two[0], 80))).isTrue();
            assertThat(ListenAddress.overlap(at(two[0], 80), at(two[1], 81))).isFalse();
            assertThat(ListenAddress.overlap(at(two[0], 0), at(two[1], 0))).isFalse();
        }
        assertThat(ListenAddress.overlap(at("0.0.0.0", 80), at("::1", 80))).isFalse();
        assertThat(ListenAddress.overlap(at("127.0.0.2", 80), at("127.0.0.1", 80))).isFalse();
        assertThat(ListenAddress.overlap(at("::", 80), UnixDomainSocketAddress.of("/run/s")))
                .isFalse();
    }

    @Test
    void emptyHostIsNotTheLoopbackAddress() {
        Problems problems = new Problems();
        assertThat(ListenAddress.read("", 80, problems)).isNull();
        assertThat(problems.sentences())
                .containsExactly(
                        "--host takes an address of this machine, such as 127.0.0.1, not \"\".");
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }
}
