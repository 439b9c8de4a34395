package dev.serval.control;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Accepts commands on a Unix-domain socket. A platform thread accepts; each connection has a
/// virtual thread, which carries out one command. At most eight connections are served at a time,
/// and a command must arrive within five seconds.
public final class ControlServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlServer.class.getName());
    private static final int CONNECTIONS_MAX = 8;
    private static final long COMMAND_MAX_MILLIS = 5_000;
    private static final long RETRY_NANOS = 100_000_000;
    private static final int FAILED = 1;

    private final Path path;
    private final @Nullable Object file; // the key of the socket's file
    private final ServerSocketChannel channel;
    private final Commands commands;
    private final long commandMaxMillis;
    private final Semaphore places = new Semaphore(CONNECTIONS_MAX);
    private final ScheduledExecutorService deadlines;

    private ControlServer(
            Path path, ServerSocketChannel channel, Commands commands, long commandMaxMillis)
            throws IOException {
        this.path = path;
        this.file = key(path);
        this.channel = channel;
        this.commands = commands;
        this.commandMaxMillis = commandMaxMillis;
        this.deadlines =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("serval-control-time").factory());
    }

    /// Opens the socket and begins to accept. A socket that a dead server left is replaced.
    ///
    /// @param name the name of the socket, such as the server's port
    /// @throws IOException if the folder cannot be used, or another server has the socket
    public static ControlServer open(ControlFolder folder, String name, Commands commands)
            throws IOException {
        return open(folder, name, commands, COMMAND_MAX_MILLIS);
    }

    /// Opens the socket in place of that of the predecessor, which still answers commands. At no time
    /// is there none.
    ///
    /// @throws IOException if the folder cannot be used
    public static ControlServer succeed(ControlFolder folder, String name, Commands commands)
            throws IOException {
        folder.create();
        Path path = folder.socket(name);
        Path beside = folder.path().resolve(name + ".new");
        Files.deleteIfExists(beside);
        ServerSocketChannel channel = bound(beside);
        try {
            Files.move(
                    beside,
                    path,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return start(folder, new ControlServer(path, channel, commands, COMMAND_MAX_MILLIS));
    }

    /// Opens the socket with another limit for the arrival of a command.
    static ControlServer open(
            ControlFolder folder, String name, Commands commands, long commandMaxMillis)
            throws IOException {
        folder.create();
        Path path = folder.socket(name);
        if (Files.exists(path) && answers(path)) {
            throw new IOException("Another server of this user has the control socket " + path);
        }
        Files.deleteIfExists(path);
        return start(folder, new ControlServer(path, bound(path), commands, commandMaxMillis));
    }

    private static ServerSocketChannel bound(Path path) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException(
                    "The server cannot open its control socket "
                            + path
                            + " ("
                            + e
                            + "): set server.state, or without it XDG_RUNTIME_DIR, to another folder,"
                            + " with a short path",
                    e);
        }
    }

    private static ControlServer start(ControlFolder folder, ControlServer server) {
        Thread.ofPlatform()
                .daemon()
                .name("serval-control")
                .start(() -> {
                    folder.sweep();
                    server.accept();
                });
        return server;
    }

    /// Returns whether a server accepts connections there.
    static boolean answers(Path socket) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the socket.
    public Path path() {
        return path;
    }

    /// A failure is told once, until it is over: without a free descriptor, each attempt fails.
    private void accept() {
        boolean failing = false;
        while (channel.isOpen()) {
            try {
                places.acquire();
                acceptOne();
                failing = false;
            } catch (ClosedChannelException | InterruptedException e) {
                return;
            } catch (Throwable e) { // such as no free descriptor, or no memory
                places.release();
                if (!failing) {
                    failing = true;
                    report(e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void acceptOne() throws IOException {
        SocketChannel client = channel.accept();
        try {
            Thread.ofVirtual().name("serval-control").start(() -> serve(client));
        } catch (RuntimeException | Error e) { // no memory for the thread
            close(client);
            throw e;
        }
    }

    /// The thread continues even if logging fails, such as for want of memory.
    private static void report(Throwable thrown) {
        try {
            LOG.log(WARNING, "The server could not accept a control connection", thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            ScheduledFuture<?> late =
                    deadlines.schedule(
                            () -> close(client), commandMaxMillis, TimeUnit.MILLISECONDS);
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Channels.newInputStream(client)));
            List<String> command = Wire.readCommand(in);
            late.cancel(false);
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(client));
            int exitCode = carryOut(command, new Frames(out));
            out.writeByte(Wire.END);
            out.writeInt(exitCode);
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(
                    DEBUG,
                    "A control connection ended early",
                    e); // such as a look of another server
        } catch (RejectedExecutionException e) {
            LOG.log(DEBUG, "A command came during the stop", e);
        } finally {
            places.release();
        }
    }

    private int carryOut(List<String> command, Frames answer) throws IOException {
        try {
            return commands.carryOut(command, answer);
        } catch (RuntimeException | Error e) {
            LOG.log(WARNING, "The server failed to carry out the command " + command.getFirst(), e);
            answer.problem(
                    "The server failed to carry out the command (" + e + "): see what it printed.");
            return FAILED;
        }
    }

    private static void close(SocketChannel client) {
        try {
            client.close();
        } catch (IOException e) {
            LOG.log(DEBUG, "The server could not close a late control connection", e);
        }
    }

    /// Returns what tells a file from another one with the same name; null if the system has nothing.
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /// Stops accepting, and deletes the socket, unless it is that of a successor. Commands in progress
    /// continue.
    @Override
    public void close() {
        deadlines.shutdownNow();
        try {
            channel.close();
            if (Files.exists(path) && Objects.equals(file, key(path))) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.log(WARNING, "The server could not delete its control socket " + path, e);
        }
    }

    /// Sends lines as frames.
    private record Frames(DataOutputStream out) implements Commands.Answer {
        @Override
        public void line(String text) throws IOException {
            frame(Wire.LINE, text);
        }

        @Override
        public void problem(String text) throws IOException {
            frame(Wire.PROBLEM, text);
        }

        private void frame(int kind, String text) throws IOException {
            out.writeByte(kind);
            Wire.writeText(out, Wire.shortened(text));
        }
    }
}
