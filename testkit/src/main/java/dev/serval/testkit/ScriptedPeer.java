package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/// A server on the loopback address that plays a script on each connection, the first script on the
/// first connection. It closes connections after the last script at once. Each connection has its
/// own virtual thread. [#close] fails if a connection did not do what its script expects.
public final class ScriptedPeer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final ServerSocket listener;
    private final List<Connection> connections;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final CountDownLatch played;
    private volatile boolean closing;

    /// One step of a script. After the last step the connection is closed.
    public sealed interface Step {
        /// Reads until that text has arrived. Fails if the connection ends first.
        record ReadUntil(String text) implements Step {}

        /// Reads `bytes` bytes.
        record Read(int bytes) implements Step {}

        /// Reads until the client has finished sending.
        record ReadToEnd() implements Step {}

        /// Reads until the connection ends in any way, also by a reset. It may be silent for as long
        /// as the test takes.
        record ReadToClose() implements Step {}

        /// Reads once, or notices the end of the connection in any way.
        record ReadOnce() implements Step {}

        /// Sends the bytes.
        record Send(byte[] bytes) implements Step {
            /// Creates a step that sends text as ISO-8859-1.
            public static Send of(String text) {
                return new Send(text.getBytes(StandardCharsets.ISO_8859_1));
            }
        }

        /// Waits until the latch is open.
        record Pause(CountDownLatch latch) implements Step {}

        /// Closes with a reset.
        record Reset() implements Step {}
    }

    private record Connection(List<Step> script, ByteArrayOutputStream received) {}

    private ScriptedPeer(List<List<Step>> scripts) throws IOException {
        this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        this.connections = new ArrayList<>();
        scripts.forEach(s -> connections.add(new Connection(s, new ByteArrayOutputStream())));
        this.played = new CountDownLatch(scripts.size());
    }

    /// Listens, and plays the steps on the first connection.
    public static ScriptedPeer playing(Step... steps) {
        return playing(List.of(List.of(steps)));
    }

    /// Listens, and plays one script for each connection.
    public static ScriptedPeer playing(List<List<Step>> scripts) {
        try {
            ScriptedPeer peer = new ScriptedPeer(scripts);
            Thread.ofVirtual().name("scripted-peer").start(peer::accept);
            return peer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the address at which the peer listens.
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /// Returns the bytes that connection `i` (from 0) has sent so far, as ISO-8859-1.
    public String received(int i) {
        return connections.get(i).received().toString(StandardCharsets.ISO_8859_1);
    }

    /// Waits until every script was played.
    public void awaitPlayed() {
        Await.open("every script was played", played);
    }

    /// Stops, and fails if a script failed.
    @Override
    public void close() {
        closing = true;
        closeQuietly(listener);
        sockets.forEach(ScriptedPeer::closeQuietly);
        Throwable failure = failures.peek();
        if (failure != null) {
            throw new AssertionError("a script failed", failure);
        }
    }

    private void accept() {
        try {
            for (Connection connection : connections) {
                Socket socket = listener.accept();
                sockets.add(socket);
                socket.setSoTimeout(PATIENCE_MILLIS);
                Thread.ofVirtual().start(() -> play(connection, socket));
            }
            while (!closing) {
                listener.accept().close();
            }
        } catch (SocketException e) {
            if (!closing) {
                failures.add(e);
            }
        } catch (IOException e) {
            failures.add(e);
        }
    }

    private void play(Connection connection, Socket socket) {
        try (socket) {
            for (Step step : connection.script()) {
                play(step, socket, connection.received());
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            if (!closing) {
                failures.add(e);
            }
        } finally {
            played.countDown();
        }
    }

    private static void play(Step step, Socket socket, ByteArrayOutputStream received)
            throws IOException {
        switch (step) {
            case Step.ReadUntil(String text) -> readUntil(text, socket, received);
            case Step.Read(int bytes) -> {
                byte[] seen = socket.getInputStream().readNBytes(bytes);
                received.writeBytes(seen);
                require(seen.length == bytes, bytes + " bytes", received);
            }
            case Step.ReadToEnd() -> socket.getInputStream().transferTo(received);
            case Step.ReadToClose() -> readToClose(socket, received);
            case Step.ReadOnce() -> readOnce(socket, received);
            case Step.Send(byte[] bytes) -> socket.getOutputStream().write(bytes);
            case Step.Pause(CountDownLatch latch) -> Await.open("the latch opens", latch);
            case Step.Reset() -> {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        }
    }

    private static void readToClose(Socket socket, ByteArrayOutputStream received) {
        try {
            socket.setSoTimeout(0);
            socket.getInputStream().transferTo(received);
        } catch (IOException e) {
            // a reset is an end, too
        }
    }

    private static void readOnce(Socket socket, ByteArrayOutputStream received) {
        try {
            byte[] some = new byte[8192];
            int n = socket.getInputStream().read(some);
            received.write(some, 0, Math.max(n, 0));
        } catch (IOException e) {
            // a reset is an end, too
        }
    }

    private static void readUntil(String text, Socket socket, ByteArrayOutputStream received)
            throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.length() < text.length()
                || seen.indexOf(text, seen.length() - text.length()) < 0) {
            int b = socket.getInputStream().read();
            require(b >= 0, '"' + text + '"', received);
            received.write(b);
            seen.append((char) b);
        }
    }

    private static void require(boolean holds, String what, ByteArrayOutputStream received) {
        if (!holds) {
            throw new AssertionError(
                    "expected "
                            + what
                            + ", the connection ended after\n"
                            + Escapes.show(received.toByteArray()));
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // An object that cannot be closed is closed already.
        }
    }
}
