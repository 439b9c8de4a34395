package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.AddressRange;
import dev.serval.policy.ProxyProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whose headers of the PROXY protocol a listener of a configuration believes.
final class ProxySendersTest {
    @TempDir private Path folder;

    private List<String> wrong(String text) throws IOException {
        return new WrittenFile(folder).wrong(text);
    }

    private @Nullable ProxyProtocol proxy(String text) throws IOException {
        return new WrittenFile(folder).right(text).engine().listeners().getFirst().proxy();
    }

    @Test
    void sendersOfProxyHeadersNeedSuchHeaders() throws IOException {
        String listener = "[[listener]]\naddress = '8081'\nproxy-protocol-from = '10.0.0.1'\n";
        assertThat(wrong(listener))
                .containsExactly(
                        "serval.toml:3:1: proxy-protocol-from has no effect without proxy-protocol"
                                + " = true: add it.");
        assertThat(proxy(listener + "proxy-protocol = true\n"))
                .isEqualTo(new ProxyProtocol(List.of(AddressRange.of("10.0.0.1"))));
    }

    /// Otherwise everybody could name any client address.
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:8443, true",
        "[::]:8443, true",
        "inherited:web, true",
        "8443, false",
        "[::1]:8443, false",
        "unix:web, false",
    })
    void sendersOfProxyHeadersAreNamedIfOtherMachinesReachTheListener(
            String address, boolean reachable) throws IOException {
        String listener = "[[listener]]\naddress = '" + address + "'\nproxy-protocol = true\n";
        if (!reachable) {
            assertThat(proxy(listener)).isEqualTo(ProxyProtocol.REQUIRED);
            return;
        }
        assertThat(wrong(listener))
                .singleElement()
                .asString()
                .startsWith(
                        "serval.toml:3:1: proxy-protocol = true lets every machine that reaches "
                                + address)
                .contains("proxy-protocol-from with the addresses", "\"0.0.0.0/0\", \"::/0\"");
        assertThat(proxy(listener + "proxy-protocol-from = ['0.0.0.0/0', '::/0']"))
                .isEqualTo(
                        new ProxyProtocol(
                                List.of(AddressRange.of("0.0.0.0/0"), AddressRange.of("::/0"))));
    }
}
