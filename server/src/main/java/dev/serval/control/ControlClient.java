package dev.serval.control;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Sends a command to a server of this user and prints its answer. Used once, by the main thread.
public final class ControlClient {
    /// The exit code if no server could be reached.
    public static final int UNREACHABLE = 1;

    private static final List<String> ENDING = List.of("stop");

    private final ControlFolder folder;
    private final PrintStream out;
    private final PrintStream err;

    /// Creates a client.
    public ControlClient(ControlFolder folder, PrintStream out, PrintStream err) {
        this.folder = folder;
        this.out = out;
        this.err = err;
    }

    /// Sends a command.
    ///
    /// @param server the name of the server's socket, such as its port; null for the only server
    /// @return the exit code of the command
    public int send(@Nullable String server, List<String> command) {
        try {
            @Nullable Path socket = server == null ? only() : named(server);
            return socket == null ? UNREACHABLE : sendTo(socket, command);
        } catch (IOException e) {
            err.println("serval: " + unusable(e) + ".");
            return UNREACHABLE;
        }
    }

    /// Sends a command to the server that runs with a configuration file.
    ///
    /// @param configuration its absolute path
    /// @return the exit code of the command
    public int sendToServerOf(Path configuration, List<String> command) {
        ServerSearch search = new ServerSearch(folder);
        try {
            @Nullable Path socket = search.serverOf(configuration);
            if (socket != null) {
                return sendTo(socket, command);
            }
        } catch (IOException e) {
            err.println("serval: " + unusable(e) + ".");
            return UNREACHABLE;
        }
        err.println(
                "serval: No server of this user that takes commands runs with "
                        + configuration
                        + (search.others().isEmpty()
                                ? ": there is no socket in " + folder.path() + "."
                                : ": these run: "
                                        + String.join(", ", search.others())
                                        + ". Choose one with --server alone."));
        if (isEmpty(configuration)) {
            err.println(
                    "serval: "
                            + configuration
                            + " is empty, as after a save that has failed, so a folder that server.state"
                            + " named is not known: save it again, or name the socket in that folder with"
                            + " --server alone.");
        }
        return UNREACHABLE;
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException e) { // such as for one that is missing
            return false;
        }
    }

    /// Sends a command to the server at a socket.
    private int sendTo(Path socket, List<String> command) {
        try {
            int exitCode =
                    send(
                            socket,
                            command,
                            line -> {
                                out.println(line);
                                out.flush(); // the next line may take long
                            },
                            problem -> err.println("serval: " + problem));
            out.flush();
            return exitCode;
        } catch (EOFException e) {
            if (command.equals(ENDING)) {
                out.println("The server has ended.");
                return 0;
            }
            err.println("serval: The server did not complete the command: see what it printed.");
            return UNREACHABLE;
        } catch (IOException e) {
            err.println(
                    "serval: The server did not complete the command ("
                            + e
                            + "): see what it printed.");
            return UNREACHABLE;
        }
    }

    private @Nullable Path only() throws IOException {
        List<Path> running = folder.sockets().stream().filter(ControlServer::answers).toList();
        if (running.size() == 1) {
            return running.getFirst();
        }
        if (running.isEmpty()) {
            err.println(
                    "serval: No server of this user runs here (there is no socket in "
                            + folder.path()
                            + "): start one with serval run, or name the file of one with"
                            + " --config, if it sets server.state.");
            return null;
        }
        String names = running.stream().map(ControlFolder::name).collect(Collectors.joining(", "));
        err.println(
                "serval: Several servers run ("
                        + names
                        + "): choose one with --server "
                        + ControlFolder.name(running.getFirst())
                        + ".");
        return null;
    }

    private @Nullable Path named(String server) throws IOException {
        Path socket = server.indexOf('/') >= 0 ? Path.of(server) : folder.socket(server);
        if (Files.exists(socket) && ControlServer.answers(socket)) {
            return socket;
        }
        String running =
                folder.sockets().stream()
                        .filter(ControlServer::answers)
                        .map(ControlFolder::name)
                        .collect(Collectors.joining(", "));
        err.println(
                "serval: No server of this user answers at "
                        + socket
                        + (running.isEmpty()
                                ? ": none runs here."
                                : ": these run: " + running + "."));
        return null;
    }

    private String unusable(IOException e) {
        return e instanceof FileSystemException
                ? "The folder for control sockets " + folder.path() + " cannot be read (" + e + ")"
                : String.valueOf(e.getMessage());
    }

    /// Sends a command, and passes on what comes back.
    ///
    /// @return the exit code of the command
    /// @throws EOFException if the server ends before the command has
    /// @throws IOException if it cannot be reached
    static int send(
            Path socket, List<String> command, Consumer<String> lines, Consumer<String> problems)
            throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Wire.writeCommand(new DataOutputStream(Channels.newOutputStream(channel)), command);
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
            while (true) {
                switch (in.readByte()) {
                    case Wire.LINE -> lines.accept(Wire.readText(in));
                    case Wire.PROBLEM -> problems.accept(Wire.readText(in));
                    case Wire.END -> {
                        return in.readInt();
                    }
                    default ->
                            throw new IOException(
                                    "the server speaks another version of the protocol");
                }
            }
        }
    }
}
