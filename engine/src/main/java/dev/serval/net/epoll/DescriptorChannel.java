package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Passes descriptors to another process of this machine (SCM_RIGHTS, `unix(7)`), in packets over a
/// Unix-domain socket. No call waits; the caller tries again until its time is over. Owned by one
/// thread.
public final class DescriptorChannel implements AutoCloseable {
    /// The most descriptors in a packet (SCM_MAX_FD in Linux).
    public static final int DESCRIPTORS_MAX = 253;

    /// The most bytes of text in a packet.
    public static final int TEXT_MAX_BYTES = 1024;

    // struct msghdr and cmsghdr of Linux with 64 bits
    private static final long MESSAGE_BYTES = 56;
    private static final long PARTS_AT = 16;
    private static final long PART_COUNT_AT = 24;
    private static final long CONTROL_AT = 32;
    private static final long CONTROL_LENGTH_AT = 40;
    private static final long FLAGS_AT = 48;
    private static final long CONTROL_HEAD_BYTES = 16;

    /// A packet.
    ///
    /// @param descriptors open ones, which the receiver closes
    public record Packet(String text, List<Integer> descriptors) {}

    private final Arena arena = Arena.ofShared();
    private final Syscalls calls = new Syscalls(arena);
    private final MemorySegment message = arena.allocate(MESSAGE_BYTES, 8);
    private final MemorySegment part = arena.allocate(16, 8);
    private final MemorySegment text = arena.allocate(TEXT_MAX_BYTES, 8);
    private final MemorySegment control =
            arena.allocate(CONTROL_HEAD_BYTES + 4L * DESCRIPTORS_MAX + 4, 8);
    private final int fd;

    private DescriptorChannel(int fd) {
        this.fd = fd;
        message.set(JAVA_LONG, PARTS_AT, part.address());
        message.set(JAVA_LONG, PART_COUNT_AT, 1);
        message.set(JAVA_LONG, CONTROL_AT, control.address());
        part.set(JAVA_LONG, 0, text.address());
    }

    /// Waits for other processes at a file that only the user of this process can open.
    ///
    /// @throws IOException if the file exists, or cannot be made
    public static DescriptorChannel listen(Path file) throws IOException {
        try (Arena own = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(own);
            SocketAddresses names = new SocketAddresses(own);
            names.write(UnixDomainSocketAddress.of(file));
            int fd = opened(calls);
            boolean bound = false;
            try {
                checked(calls.bind(fd, names.address(), names.written()), file);
                bound = true;
                // Until it listens, nobody can connect.
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
                checked(calls.listen(fd, 1), file);
                return new DescriptorChannel(fd);
            } catch (IOException e) {
                calls.close(fd);
                if (bound) {
                    Files.deleteIfExists(file);
                }
                throw e;
            }
        }
    }

    /// Connects to a process that waits at the file.
    ///
    /// @return null if none waits there
    public static @Nullable DescriptorChannel connect(Path file) throws IOException {
        try (Arena own = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(own);
            SocketAddresses names = new SocketAddresses(own);
            names.write(UnixDomainSocketAddress.of(file));
            int fd = opened(calls);
            int result = calls.connect(fd, names.address(), names.written());
            if (result >= 0) {
                return new DescriptorChannel(fd);
            }
            calls.close(fd);
            if (result == -Syscalls.ENOENT
                    || result == -Syscalls.ECONNREFUSED
                    || result == -Syscalls.EAGAIN) {
                return null;
            }
            throw new IOException(file + ": " + Syscalls.text(result));
        }
    }

    /// Accepts a process that has connected; null if there is none yet.
    public @Nullable DescriptorChannel accept() throws IOException {
        int accepted = calls.accept(fd, 0, 0);
        if (accepted == -Syscalls.EAGAIN || accepted == -Syscalls.EINTR) {
            return null;
        }
        if (accepted < 0) {
            throw new IOException("accept: " + Syscalls.text(accepted));
        }
        return new DescriptorChannel(accepted);
    }

    /// Sends a packet. The descriptors stay open here.
    ///
    /// @return whether it was sent; if not, there is no room yet
    /// @throws IOException if the other process has gone
    public boolean send(Packet packet) throws IOException {
        byte[] bytes = packet.text().getBytes(StandardCharsets.UTF_8);
        List<Integer> descriptors = packet.descriptors();
        if (bytes.length == 0
                || bytes.length > TEXT_MAX_BYTES
                || descriptors.size() > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException("A packet is empty or too large");
        }
        MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
        part.set(JAVA_LONG, 8, bytes.length);
        long length = descriptors.isEmpty() ? 0 : CONTROL_HEAD_BYTES + 4L * descriptors.size();
        message.set(JAVA_LONG, CONTROL_LENGTH_AT, length);
        control.set(JAVA_LONG, 0, length);
        control.set(JAVA_INT, 8, Syscalls.SOL_SOCKET);
        control.set(JAVA_INT, 12, Syscalls.SCM_RIGHTS);
        for (int i = 0; i < descriptors.size(); i++) {
            control.set(JAVA_INT, CONTROL_HEAD_BYTES + 4L * i, descriptors.get(i));
        }
        long result = calls.sendMessage(fd, message.address(), Syscalls.MSG_NOSIGNAL);
        if (result == -Syscalls.EAGAIN || result == -Syscalls.EINTR) {
            return false;
        }
        if (result < 0) {
            throw new IOException("sendmsg: " + Syscalls.text(result));
        }
        return true;
    }

    /// Receives a packet; null if none has arrived yet.
    ///
    /// @throws EOFException if the other process has gone
    public @Nullable Packet receive() throws IOException {
        part.set(JAVA_LONG, 8, TEXT_MAX_BYTES);
        message.set(JAVA_LONG, CONTROL_LENGTH_AT, control.byteSize());
        long result = calls.receiveMessage(fd, message.address(), Syscalls.MSG_CMSG_CLOEXEC);
        if (result == -Syscalls.EAGAIN || result == -Syscalls.EINTR) {
            return null;
        }
        if (result < 0) {
            throw new IOException("recvmsg: " + Syscalls.text(result));
        }
        List<Integer> descriptors = descriptors();
        if (result == 0) {
            ListeningDescriptors.close(descriptors);
            throw new EOFException("The other process has gone");
        }
        int cut = Syscalls.MSG_TRUNC | Syscalls.MSG_CTRUNC;
        if ((message.get(JAVA_INT, FLAGS_AT) & cut) != 0) {
            ListeningDescriptors.close(descriptors);
            throw new IOException("A packet is too large, or no descriptor is free");
        }
        byte[] bytes = new byte[(int) result];
        MemorySegment.copy(text, JAVA_BYTE, 0, bytes, 0, bytes.length);
        return new Packet(new String(bytes, StandardCharsets.UTF_8), descriptors);
    }

    /// Returns the descriptors of the one control message that a packet may have.
    private List<Integer> descriptors() {
        List<Integer> found = new ArrayList<>();
        long length = message.get(JAVA_LONG, CONTROL_LENGTH_AT);
        if (length < CONTROL_HEAD_BYTES
                || control.get(JAVA_INT, 8) != Syscalls.SOL_SOCKET
                || control.get(JAVA_INT, 12) != Syscalls.SCM_RIGHTS) {
            return found;
        }
        long end = Math.min(length, control.get(JAVA_LONG, 0));
        for (long at = CONTROL_HEAD_BYTES; at + 4 <= end; at += 4) {
            found.add(control.get(JAVA_INT, at));
        }
        return found;
    }

    @Override
    public void close() {
        calls.close(fd);
        arena.close();
    }

    private static int opened(Syscalls calls) throws IOException {
        int fd = calls.socket(Syscalls.AF_UNIX, Syscalls.SOCK_SEQPACKET);
        if (fd < 0) {
            throw new IOException("socket: " + Syscalls.text(fd));
        }
        return fd;
    }

    private static void checked(int result, Path file) throws IOException {
        if (result < 0) {
            throw new IOException(file + ": " + Syscalls.text(result));
        }
    }
}
