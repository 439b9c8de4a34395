package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/// A port of the loopback address at which no program listens. It is bound until [#close], so that
/// no other process can listen there, and the system refuses each connection.
public final class DeadPort implements AutoCloseable {
    private final Socket socket = new Socket();

    private DeadPort() throws IOException {
        socket.setReuseAddress(false);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /// Binds a port that the system chooses.
    public static DeadPort open() {
        try {
            return new DeadPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the number of the port.
    public int number() {
        return socket.getLocalPort();
    }

    /// Returns the address.
    public InetSocketAddress address() {
        return new InetSocketAddress(socket.getLocalAddress(), number());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
