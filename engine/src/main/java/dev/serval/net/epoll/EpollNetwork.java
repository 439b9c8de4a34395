package dev.serval.net.epoll;

import dev.serval.loop.ThreadClock;
import dev.serval.net.Conduit;
import dev.serval.net.LooseSocket;
import dev.serval.net.Network;
import dev.serval.net.OwnerOnly;
import dev.serval.net.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Provides sockets by Linux system calls: epoll, through the foreign-function API. This type makes
/// sockets; [EpollInstance] has their registrations and events, [OptionCalls] their options, and
/// [BufferCalls] sends.
///
/// It avoids these costs of java.nio: an object with locks and a cleaner for each socket, the
/// selector's key sets, and the look-up of the local address at each accept. The difference shows
/// in `serval bench static`, in the cells with a connection per request.
///
/// A connection is accepted with its client's first bytes (TCP_DEFER_ACCEPT), or after a second if
/// none arrive. That saves one of two wake-ups, and a silent connection costs this process nothing
/// during that second. See docs/decisions/0002-accept-with-the-first-bytes.md.
public final class EpollNetwork implements Network {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Arena arena = Arena.ofShared();
    private final Syscalls calls = new Syscalls(arena);
    private final EpollInstance instance = new EpollInstance(arena, calls);
    private final OptionCalls options = new OptionCalls(arena, calls);
    private final BufferCalls buffers = new BufferCalls(arena, calls);
    private final SocketAddresses names = new SocketAddresses(arena);
    private final MemorySegment pipe = arena.allocate(8, 8);
    private final ArrayDeque<EpollConnecting> connected = new ArrayDeque<>(); // at once

    /// Opens an epoll instance.
    ///
    /// @throws UncheckedIOException if no file descriptor is left
    public EpollNetwork() {}

    /// Returns why epoll cannot be used here, or null if it can.
    public static @Nullable String unavailable() {
        if (!Files.exists(Path.of("/proc/sys/kernel/ostype"))) {
            return "it needs Linux";
        }
        if (!FileDescriptors.available() || !BufferAddress.available()) {
            return "java.base/sun.nio.ch and java.base/java.io are not open to it";
        }
        try {
            new EpollNetwork().close();
            return null;
        } catch (UncheckedIOException
                | IllegalCallerException
                | IllegalStateException
                | UnsupportedOperationException e) {
            return String.valueOf(e.getMessage());
        } catch (LinkageError e) { // its type changes after the first failure
            return "native access is not enabled for it";
        }
    }

    // Parts, for sockets

    Syscalls calls() {
        return calls;
    }

    EpollInstance instance() {
        return instance;
    }

    OptionCalls options() {
        return options;
    }

    BufferCalls buffers() {
        return buffers;
    }

    // Sockets

    @Override
    public Listening bind(Binding binding, Acceptor acceptor) throws IOException {
        SocketAddress address = binding.address();
        int fd = checked(calls.socket(SocketAddresses.family(address)), "socket");
        try {
            if (!(address instanceof UnixDomainSocketAddress)) {
                options.set(fd, Syscalls.SOL_SOCKET, Syscalls.SO_REUSEADDR, 1);
                options.setForAccepted(fd);
                if (binding.shared()) {
                    options.set(fd, Syscalls.SOL_SOCKET, Syscalls.SO_REUSEPORT, 1);
                }
            }
            if (SocketAddresses.family(address) == Syscalls.AF_INET6) {
                options.set(fd, Syscalls.IPPROTO_IPV6, Syscalls.IPV6_V6ONLY, 0);
            }
            names.write(address);
            int result = calls.bind(fd, names.address(), names.written());
            if (result < 0) {
                throw new BindException(Syscalls.text(result));
            }
            if (address instanceof UnixDomainSocketAddress unix) {
                if (binding.ownerOnly()) { // nobody can connect before it listens
                    OwnerOnly.set(unix.getPath());
                }
                return EpollListening.own(this, names, fd, binding, acceptor);
            }
            Binding bound =
                    new Binding(
                            SocketAddresses.local(fd), binding.shared(), false, binding.backlog());
            return EpollListening.own(this, names, fd, bound, acceptor);
        } catch (IOException e) {
            calls.close(fd);
            throw e;
        }
    }

    @Override
    public Listening inherit(int descriptor, SocketAddress address, Acceptor acceptor)
            throws IOException {
        int fd = checked(calls.duplicate(descriptor), "Descriptor " + descriptor);
        try {
            checked(calls.neverWait(fd), "fcntl");
            if (!(address instanceof UnixDomainSocketAddress)) {
                options.setForAccepted(fd);
            }
            return EpollListening.shared(this, names, fd, address, acceptor);
        } catch (IOException e) {
            calls.close(fd);
            throw e;
        }
    }

    @Override
    public Runnable connect(SocketAddress address, Connecting then) {
        return connect(null, address, then);
    }

    @Override
    public Runnable connect(
            @Nullable InetSocketAddress from, SocketAddress address, Connecting then) {
        int fd = calls.socket(SocketAddresses.family(address));
        if (fd < 0) {
            then.connectFailed(failure(fd));
            return () -> {};
        }
        try {
            if (from != null) {
                bindLocal(fd, from);
            }
            names.write(address);
            int done = calls.connect(fd, names.address(), names.written());
            if (done < 0 && done != -Syscalls.EINPROGRESS) {
                throw failure(done);
            }
            if (!(address instanceof UnixDomainSocketAddress)) {
                options.setForSending(fd);
            }
            EpollConnecting connecting = new EpollConnecting(this, fd, address, then);
            if (done < 0) {
                instance.register(fd, Syscalls.EPOLLOUT, connecting);
            } else { // a Unix-domain socket connects at once
                connected.add(connecting);
            }
            return connecting::end;
        } catch (IOException e) {
            calls.close(fd);
            then.connectFailed(e);
            return () -> {};
        } catch (RuntimeException | Error e) { // it could not be registered
            instance.closeFd(fd);
            throw e;
        }
    }

    /// Returns why there is no connection: for want of means of this side, or because of the other one.
    private static IOException failure(int error) {
        String text = Syscalls.text(error);
        return switch (-error) {
            case Syscalls.ENFILE, Syscalls.EMFILE, Syscalls.ENOMEM, Syscalls.ENOBUFS ->
                    new NoMeans(text);
            default -> new IOException(text);
        };
    }

    /// Binds a socket that is to connect. The system chooses its port at the connect, so that
    /// connections to different servers may share one (IP_BIND_ADDRESS_NO_PORT, `ip(7)`).
    private void bindLocal(int fd, InetSocketAddress from) throws IOException {
        options.set(fd, Syscalls.IPPROTO_IP, Syscalls.IP_BIND_ADDRESS_NO_PORT, 1);
        names.write(from);
        checked(calls.bind(fd, names.address(), names.written()), "bind");
    }

    private static int checked(int result, String call) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Syscalls.text(result));
        }
        return result;
    }

    @Override
    public Transport adopt(LooseSocket socket) {
        if (socket instanceof LooseDescriptor loose) {
            return new EpollTransport(this, loose.fd(), loose.local(), loose.peer());
        }
        throw new IllegalArgumentException("Not a socket of epoll: " + socket);
    }

    @Override
    public @Nullable Conduit conduit() {
        return EpollConduit.open(calls, pipe);
    }

    /// Links what conduits need, which takes some 20 ms. Otherwise the first conduit does that, on a
    /// loop.
    public static void prepareConduits() {
        if (unavailable() == null) {
            Syscalls.linkSplice();
        }
    }

    /// A socket that is registered at no epoll instance, with its addresses.
    record LooseDescriptor(int fd, SocketAddress local, SocketAddress peer) implements LooseSocket {
        @Override
        public void close() {
            try (Arena own = Arena.ofConfined()) {
                new Syscalls(own).close(fd);
            }
        }
    }

    @Override
    public long readNow(FileChannel file, long position, ByteBuffer[] into, int count) {
        return buffers.readNow(file, position, into, count);
    }

    // Events

    @Override
    public void poll(long timeoutNanos) {
        instance.poll(connected.isEmpty() ? millis(timeoutNanos) : 0);
    }

    private static int millis(long nanos) {
        return nanos == Long.MAX_VALUE
                ? -1
                : (int)
                        Math.min(
                                Integer.MAX_VALUE, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        for (int i = connected.size(); i > 0; i--) { // not those of this turn
            connected.remove().succeed();
        }
        instance.dispatch(enough);
    }

    @Override
    public boolean watches() {
        return true;
    }

    @Override
    public void watch(int descriptor, Runnable ready) {
        instance.watch(descriptor, ready);
    }

    @Override
    public ThreadClock threadClock() {
        return new CpuTime();
    }

    @Override
    public void wakeup() {
        instance.wakeup();
    }

    @Override
    public void close() {
        while (!connected.isEmpty()) {
            connected.remove().end();
        }
        instance.close();
        arena.close();
    }
}
