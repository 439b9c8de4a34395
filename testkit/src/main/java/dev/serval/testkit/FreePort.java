package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Finds a free port for a program that cannot choose one itself (port 0). Another process may take
/// the port in the meantime.
public final class FreePort {
    private FreePort() {}

    /// Returns a port of the loopback address that was free a moment ago.
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
