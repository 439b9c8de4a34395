package dev.serval.bench.bare;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that does the least work possible for a server on this machine. Arguments: `ROOT
/// PORT`.
///
/// It has one thread and epoll, and calls `recv` and `send` once for each request. The first
/// request of a connection names the file and says whether the connection is kept. After that, the
/// server answers each end of a head with bytes that it prepared at start. It reads nothing else,
/// checks nothing and has no timeouts. The difference to another server is the cost of that
/// server's work.
public final class FloorServer {
    private static final int AF_INET = 2;
    private static final int NONBLOCK_STREAM = 0x800 | 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EPOLLIN = 1;
    private static final int EPOLLOUT = 4;
    private static final int ADD = 1;
    private static final int MODIFY = 3;
    private static final int BACKLOG = 1024;
    private static final int EVENTS = 512;
    private static final int CONNECTIONS_MAX = 1 << 16;
    private static final int READ_BYTES = 64 << 10;
    private static final int REPEATED_BYTES = 512 << 10;
    private static final int HEAD_END = 0x0d0a0d0a;

    /// A prepared answer, repeated so that one call can answer a pipeline.
    private record Answer(MemorySegment bytes, int length, boolean kept) {
        int times() {
            return (int) (bytes.byteSize() / length);
        }
    }

    /// The state of a connection.
    private static final class Connection {
        private @Nullable Answer answer;
        private int last4; // the last four bytes, to find the end of a head across reads
        private long owed; // bytes still to send
        private int at; // offset in an answer that was sent in part
    }

    private final Arena arena = Arena.global();
    private final Map<String, Answer> kept = new HashMap<>();
    private final Map<String, Answer> closed = new HashMap<>();
    private final Answer absent = answer("404 Not Found", new byte[0], false);
    private final MemorySegment buffer = arena.allocate(READ_BYTES);
    private final MemorySegment event = arena.allocate(16, 8);
    private final MemorySegment events = arena.allocate(16L * EVENTS, 8);
    private final boolean packed = System.getProperty("os.arch").equals("amd64");
    private final @Nullable Connection[] connections = new @Nullable Connection[CONNECTIONS_MAX];
    private final int epoll = Calls.epollCreate();

    private FloorServer(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.toList()) {
                String path = "/" + file.getFileName();
                byte[] content = Files.readAllBytes(file);
                kept.put(path, answer("200 OK", content, true));
                closed.put(path, answer("200 OK", content, false));
            }
        }
    }

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder and port
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT");
        }
        new FloorServer(Path.of(arguments[0])).serve(Integer.parseInt(arguments[1]));
    }

    private Answer answer(String status, byte[] content, boolean keep) {
        String head =
                "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n"
                        .formatted(status, content.length, keep ? "keep-alive" : "close");
        byte[] one = Arrays.copyOf(head.getBytes(ISO_8859_1), head.length() + content.length);
        System.arraycopy(content, 0, one, head.length(), content.length);
        int times = keep ? Math.max(1, REPEATED_BYTES / one.length) : 1;
        MemorySegment bytes = arena.allocate((long) times * one.length);
        for (int i = 0; i < times; i++) {
            MemorySegment.copy(one, 0, bytes, JAVA_BYTE, (long) i * one.length, one.length);
        }
        return new Answer(bytes, one.length, keep);
    }

    private void serve(int port) {
        int listener = listen(port);
        control(ADD, listener, EPOLLIN);
        while (true) {
            int n = Calls.epollWait(epoll, events.address(), EVENTS);
            for (int i = 0; i < n; i++) {
                long at = (long) i * (packed ? 12 : 16);
                int happened = events.get(JAVA_INT_UNALIGNED, at);
                int fd = (int) events.get(JAVA_LONG_UNALIGNED, at + (packed ? 4 : 8));
                if (fd == listener) {
                    accept(listener);
                } else {
                    ready(fd, happened);
                }
            }
        }
    }

    private int listen(int port) {
        int fd = checked(Calls.socket(AF_INET, NONBLOCK_STREAM));
        event.set(JAVA_INT_UNALIGNED, 0, 1);
        Calls.setOption(fd, SOL_SOCKET, SO_REUSEADDR, event.address());
        Calls.setOption(fd, IPPROTO_TCP, TCP_NODELAY, event.address());
        MemorySegment address = arena.allocate(16, 8);
        address.set(JAVA_BYTE, 0, (byte) AF_INET);
        address.set(JAVA_BYTE, 2, (byte) (port >>> 8));
        address.set(JAVA_BYTE, 3, (byte) port);
        address.set(JAVA_BYTE, 4, (byte) 127);
        address.set(JAVA_BYTE, 7, (byte) 1);
        checked(Calls.bind(fd, address.address(), 16));
        checked(Calls.listen(fd, BACKLOG));
        return fd;
    }

    private void accept(int listener) {
        for (int fd = Calls.accept(listener, 0x800); fd >= 0; fd = Calls.accept(listener, 0x800)) {
            if (fd >= CONNECTIONS_MAX) {
                Calls.close(fd);
                continue;
            }
            connections[fd] = new Connection();
            control(ADD, fd, EPOLLIN);
        }
    }

    private void ready(int fd, int happened) {
        @Nullable Connection connection = connections[fd];
        if (connection == null) {
            return;
        }
        boolean open = true;
        if ((happened & EPOLLOUT) != 0) {
            open = send(fd, connection, true);
        } else {
            int n = (int) Calls.receive(fd, buffer.address(), READ_BYTES);
            open = n > 0 && read(fd, connection, n);
        }
        if (!open) {
            connections[fd] = null;
            Calls.close(fd);
        }
    }

    /// Returns whether the connection stays open.
    private boolean read(int fd, Connection connection, int n) {
        @Nullable Answer answer = connection.answer;
        if (answer == null) {
            answer = named(n);
            connection.answer = answer;
        }
        int last = connection.last4;
        for (int i = 0; i < n; i++) {
            last = last << Byte.SIZE | (buffer.get(JAVA_BYTE, i) & 0xff);
            if (last == HEAD_END) {
                connection.owed += answer.length();
            }
        }
        connection.last4 = last;
        return send(fd, connection, false);
    }

    /// Sends what the connection is owed.
    ///
    /// @param waited whether the connection has waited for room
    /// @return whether the connection stays open
    private boolean send(int fd, Connection connection, boolean waited) {
        @Nullable Answer answer = connection.answer;
        while (answer != null && connection.owed > 0) {
            long from = answer.bytes().address() + connection.at;
            long most = (long) answer.times() * answer.length() - connection.at;
            long wanted = Math.min(connection.owed, most);
            long n = Calls.send(fd, from, wanted, MSG_NOSIGNAL);
            if (n > 0) {
                connection.owed -= n;
                connection.at = (int) ((connection.at + n) % answer.length());
            }
            if (n < wanted) {
                if (!waited) {
                    control(MODIFY, fd, EPOLLOUT); // also reports a lost connection
                }
                return n > 0 || !waited;
            }
        }
        if (waited) {
            control(MODIFY, fd, EPOLLIN);
        }
        return answer == null || answer.kept();
    }

    /// Returns the answer to the head at the start of the buffer.
    private Answer named(int n) {
        byte[] bytes = new byte[n];
        MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, n);
        String head = new String(bytes, ISO_8859_1);
        String[] words = head.split("[ \r]", 4);
        boolean keep =
                head.contains("HTTP/1.1")
                        ? !head.contains("Connection: close")
                        : head.contains("Connection: Keep-Alive");
        return (keep ? kept : closed).getOrDefault(words.length > 1 ? words[1] : "", absent);
    }

    private void control(int operation, int fd, int interest) {
        event.set(JAVA_INT_UNALIGNED, 0, interest);
        event.set(JAVA_LONG_UNALIGNED, packed ? 4 : 8, fd);
        Calls.epollControl(epoll, operation, fd, event.address());
    }

    private static int checked(int result) {
        if (result < 0) {
            throw new IllegalStateException("A system call failed");
        }
        return result;
    }
}
