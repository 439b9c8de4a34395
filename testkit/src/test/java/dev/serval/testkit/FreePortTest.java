package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FreePortTest {
    private static final int FIRST_OF_THE_SYSTEM = 32_768;

    @Test
    void portsAreFreeAndNotThoseThatTheSystemGivesOut() throws Exception {
        Set<Integer> found = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            int port = FreePort.find();
            assertThat(found.add(port)).as("port %d is new", port).isTrue();
            assertThat(port).isBetween(1024, FIRST_OF_THE_SYSTEM - 1);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(socket.getLocalPort()).isEqualTo(port);
            }
        }
    }
}
