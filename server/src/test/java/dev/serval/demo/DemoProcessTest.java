package dev.serval.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The process of the demo.
@Timeout(120)
final class DemoProcessTest {
    private static final int KILLED = 128 + 9;

    /// A server that stops just after its start must not wait until the process gives up by itself,
    /// which ends it with exit code 1.
    @Test
    void processThatHasNotRegisteredLeavesAtOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                DemoProcess process =
                        DemoProcess.start(
                                Path.of(System.getProperty("java.home")),
                                System.getProperty("java.class.path"),
                                new InetSocketAddress(
                                        silent.getInetAddress(), silent.getLocalPort()),
                                "a passphrase")) {
            // It has read the passphrase and dials in, but gets no answer.
            try (Socket dialled = silent.accept()) {
                process.leave();
                assertThat(process.awaitEnd()).isEqualTo(KILLED);
                assertThat(dialled.isClosed()).isFalse();
            }
        }
    }
}
