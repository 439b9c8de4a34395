package dev.serval.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TestKeys;
import dev.serval.tls.WatchedFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When the files of TLS to upstreams are looked at. The test is the clock.
final class UpstreamTlsTest {
    private final List<Runnable> looks = new ArrayList<>();
    private long now;
    private final UpstreamTls tls;

    UpstreamTlsTest() throws IOException {
        TlsTarget target = new TlsTarget(true, TestKeys.local().certificate(), null, null);
        tls = new UpstreamTls(target, () -> now, looks::add);
    }

    @Test
    void looksAtMostOnceASecond() {
        assertThat(tls.engine("a.test", 1)).isNotNull();
        now += WatchedFiles.LOOK_NANOS - 1;
        assertThat(tls.engine("a.test", 1)).isNotNull();
        assertThat(looks).isEmpty();
        now++;
        assertThat(tls.engine("a.test", 1)).isNotNull();
        assertThat(tls.engine("a.test", 1)).isNotNull();
        assertThat(looks).hasSize(1);
    }

    /// An upstream may be down because of the files, and then only checks of its health connect.
    @Test
    void healthCheckCausesALook() throws IOException {
        now += WatchedFiles.LOOK_NANOS;
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket connected =
                        new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket encrypted = tls.socket(connected, "a.test", listening.getLocalPort())) {
            assertThat(encrypted.isConnected()).isTrue();
            assertThat(looks).hasSize(1);
        }
    }
}
