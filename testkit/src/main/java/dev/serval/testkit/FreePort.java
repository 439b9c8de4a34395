package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// A port nobody listens on. For what cannot be told to choose one itself (0): somebody else may take
/// it in between.
public final class FreePort {
    private FreePort() {}

    /// A port of the loopback address that was free a moment ago.
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
