package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

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
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Provides sockets by Linux system calls: epoll, level-triggered, through the foreign-function
/// API.
///
/// It avoids these costs of java.nio: an object with locks and a cleaner for each socket, the
/// selector's key sets, and the look-up of the local address at each accept. The difference shows
/// in `serval bench static`, in the cells with a connection per request.
///
/// A connection is accepted with its client's first bytes (TCP_DEFER_ACCEPT), or after a second if
/// none arrive. That saves one of two wake-ups, and a silent connection costs this process nothing
/// during that second. See docs/decisions/0002-accept-with-the-first-bytes.md.
public final class EpollNetwork implements Network {
    private static final int EVENTS = 512;
    private static final int VECTOR_MOST = 64;

    /// The bytes that a socket takes beyond what it may send at once. More bytes would only wait in
    /// the kernel, leave the processor's cache, and be sent in the receiver's time. See
    /// docs/decisions/0005-unsent-bytes-per-socket.md.
    private static final int NOT_SENT_BYTES_MAX = 64 << 10;

    /// The offsets of tcpi_sacked, the backlog of a listening socket, and of tcpi_bytes_acked in struct
    /// tcp_info (linux/tcp.h, since Linux 4.1).
    private static final int TCP_INFO_BACKLOG_AT = 28;

    private static final int TCP_INFO_ACKNOWLEDGED_AT = 120;
    private static final int TCP_INFO_BYTES = TCP_INFO_ACKNOWLEDGED_AT + 8;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /// A descriptor of another owner, who closes it.
    private record Watched(Runnable action) implements Registered {
        @Override
        public void ready(int events) {
            action.run();
        }
    }

    /// The target of an event.
    sealed interface Registered permits EpollTransport, EpollListening, EpollConnecting, Watched {
        /// Handles an event.
        void ready(int events);
    }

    private final Arena arena = Arena.ofShared();
    private final Syscalls calls = new Syscalls(arena);
    private final SocketAddresses names = new SocketAddresses(arena);
    private final MemorySegment events = arena.allocate((long) EVENTS * 16, 8);
    private final MemorySegment event = arena.allocate(16, 8);
    private final MemorySegment number = arena.allocate(8, 8);
    private final MemorySegment vector = arena.allocate(16L * VECTOR_MOST, 8);
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 << 10);
    private final Syscalls wakeCalls = new Syscalls(arena); // guarded by the lock of wakeup
    private final MemorySegment one = arena.allocate(8, 8);
    private final int epoll;
    private final int wakeFd;
    private final int eventData; // the offset of the data, which end an epoll_event
    private @Nullable Registered[] registered = new @Nullable Registered[1024]; // by descriptor
    private int[] generations = new int[1024];
    private final ArrayDeque<EpollConnecting> connected = new ArrayDeque<>(); // at once
    private int count; // of the events of the last poll
    private int next; // the first of them that is not dispatched yet
    private long polls;
    private boolean closed;

    /// Opens an epoll instance.
    ///
    /// @throws UncheckedIOException if no file descriptor is left
    public EpollNetwork() {
        one.set(JAVA_LONG_UNALIGNED, 0, 1);
        epoll = opened(calls.epollCreate());
        wakeFd = opened(calls.eventfd());
        eventData = eventsArePacked() ? 4 : 8;
    }

    /// Registers the wake-up descriptor, and uses it to detect the layout of struct epoll_event.
    /// Only on x86-64 is it packed, so that the data follow the mask without a gap.
    ///
    /// @return whether the struct is packed
    private boolean eventsArePacked() {
        event.set(JAVA_INT_UNALIGNED, 0, Syscalls.EPOLLIN);
        event.set(JAVA_INT_UNALIGNED, 4, wakeFd);
        event.set(JAVA_INT_UNALIGNED, 8, wakeFd);
        opened(calls.epollControl(epoll, Syscalls.EPOLL_CTL_ADD, wakeFd, event.address()));
        calls.write(wakeFd, one.address(), 8);
        opened(calls.epollWait(epoll, events.address(), 1, 0));
        calls.read(wakeFd, number.address(), 8);
        return events.get(JAVA_INT_UNALIGNED, 4) == wakeFd;
    }

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

    @Override
    public Listening bind(Binding binding, Acceptor acceptor) throws IOException {
        SocketAddress address = binding.address();
        int fd = checked(calls.socket(SocketAddresses.family(address)), "socket");
        try {
            if (!(address instanceof UnixDomainSocketAddress)) {
                set(fd, Syscalls.SOL_SOCKET, Syscalls.SO_REUSEADDR, 1);
                setForAccepted(fd);
                if (binding.shared()) {
                    set(fd, Syscalls.SOL_SOCKET, Syscalls.SO_REUSEPORT, 1);
                }
            }
            if (SocketAddresses.family(address) == Syscalls.AF_INET6) {
                set(fd, Syscalls.IPPROTO_IPV6, Syscalls.IPV6_V6ONLY, 0);
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
                setForAccepted(fd);
            }
            return EpollListening.shared(this, names, fd, address, acceptor);
        } catch (IOException e) {
            calls.close(fd);
            throw e;
        }
    }

    /// Sets the options that accepted TCP sockets inherit, and the wait for the first bytes.
    private void setForAccepted(int fd) throws IOException {
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NODELAY, 1);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NOTSENT_LOWAT, NOT_SENT_BYTES_MAX);
        set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_DEFER_ACCEPT, 1);
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
            then.connectFailed(new IOException(Syscalls.text(fd)));
            return () -> {};
        }
        try {
            if (from != null) {
                bindLocal(fd, from);
            }
            names.write(address);
            int done = calls.connect(fd, names.address(), names.written());
            if (done < 0 && done != -Syscalls.EINPROGRESS) {
                throw new IOException(Syscalls.text(done));
            }
            if (!(address instanceof UnixDomainSocketAddress)) {
                set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NODELAY, 1);
                set(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_NOTSENT_LOWAT, NOT_SENT_BYTES_MAX);
            }
            EpollConnecting connecting = new EpollConnecting(this, fd, address, then);
            if (done < 0) {
                register(fd, Syscalls.EPOLLOUT, connecting);
            } else { // a Unix-domain socket connects at once
                connected.add(connecting);
            }
            return connecting::end;
        } catch (IOException e) {
            calls.close(fd);
            then.connectFailed(e);
            return () -> {};
        } catch (RuntimeException | Error e) { // it could not be registered
            closeFd(fd);
            throw e;
        }
    }

    /// Binds a socket that is to connect. The system chooses its port at the connect, so that
    /// connections to different servers may share one (IP_BIND_ADDRESS_NO_PORT, `ip(7)`).
    private void bindLocal(int fd, InetSocketAddress from) throws IOException {
        set(fd, Syscalls.IPPROTO_IP, Syscalls.IP_BIND_ADDRESS_NO_PORT, 1);
        names.write(from);
        checked(calls.bind(fd, names.address(), names.written()), "bind");
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
        return EpollConduit.open(calls, number);
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
    public void poll(long timeoutNanos) {
        if (next < count) {
            return; // the last dispatch had enough before the end
        }
        int n = calls.epollWait(epoll, events.address(), EVENTS, millis(timeoutNanos));
        if (n < 0 && n != -Syscalls.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Syscalls.text(n));
        }
        count = Math.max(0, n);
        next = 0;
        polls++;
    }

    private int millis(long nanos) {
        if (!connected.isEmpty()) {
            return 0;
        }
        return nanos == Long.MAX_VALUE
                ? -1
                : (int)
                        Math.min(
                                Integer.MAX_VALUE, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    /// Returns the number of polls.
    long polls() {
        return polls;
    }

    /// Returns whether the last poll has reported an event of a descriptor that is not dispatched
    /// yet.
    boolean isReported(int fd) {
        for (int i = next; i < count; i++) {
            if ((int) events.get(JAVA_LONG_UNALIGNED, eventAt(i) + eventData) == fd) {
                return true;
            }
        }
        return false;
    }

    private long eventAt(int index) {
        return (long) index * (eventData + Long.BYTES);
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        for (int i = connected.size(); i > 0; i--) { // not those of this turn
            connected.remove().succeed();
        }
        while (next < count && !enough.getAsBoolean()) {
            long at = eventAt(next++);
            int happened = events.get(JAVA_INT_UNALIGNED, at);
            long data = events.get(JAVA_LONG_UNALIGNED, at + eventData);
            int fd = (int) data;
            if (fd == wakeFd) {
                calls.read(wakeFd, number.address(), 8);
                continue;
            }
            @Nullable Registered target = registered[fd];
            // A descriptor that was closed in this turn may already belong to another connection.
            if (target != null && generations[fd] == (int) (data >>> 32)) {
                target.ready(happened);
            }
        }
    }

    @Override
    public boolean watches() {
        return true;
    }

    @Override
    public void watch(int descriptor, Runnable ready) {
        register(descriptor, Syscalls.EPOLLIN, new Watched(ready));
    }

    @Override
    public ThreadClock threadClock() {
        return new CpuTime();
    }

    @Override
    public synchronized void wakeup() {
        if (!closed) {
            wakeCalls.write(wakeFd, one.address(), 8);
        }
    }

    @Override
    public void close() {
        while (!connected.isEmpty()) {
            connected.remove().end();
        }
        for (int fd = 0; fd < registered.length; fd++) {
            if (registered[fd] != null && !(registered[fd] instanceof Watched)) {
                calls.close(fd);
            }
        }
        synchronized (this) {
            closed = true;
            calls.close(wakeFd);
            calls.close(epoll);
        }
        arena.close();
    }

    Syscalls calls() {
        return calls;
    }

    /// Notes a descriptor that is not registered yet, so that [#close] closes it.
    void note(int fd, Registered target) {
        if (fd >= registered.length) {
            int length = Math.max(fd + 1, 2 * registered.length);
            registered = Arrays.copyOf(registered, length);
            generations = Arrays.copyOf(generations, length);
        }
        registered[fd] = target;
    }

    /// Registers `fd`, so that `target` receives the events in `interest`.
    void register(int fd, int interest, Registered target) {
        note(fd, target);
        control(Syscalls.EPOLL_CTL_ADD, fd, interest);
    }

    void change(int fd, int interest) {
        control(Syscalls.EPOLL_CTL_MOD, fd, interest);
    }

    /// Ends the reports of a descriptor that stays open and keeps its target.
    void suspend(int fd) {
        control(Syscalls.EPOLL_CTL_DEL, fd, 0);
    }

    /// Ends the registration of a descriptor that stays open.
    void unregister(int fd) {
        registered[fd] = null;
        control(Syscalls.EPOLL_CTL_DEL, fd, 0);
    }

    /// Ends the registration of a descriptor that leaves for another epoll instance. Events that were
    /// already reported become void, because that instance may close the descriptor at any time.
    void leave(int fd) {
        generations[fd]++;
        unregister(fd);
    }

    /// Passes the events of a registered descriptor to another target.
    void retarget(int fd, Registered target) {
        registered[fd] = target;
    }

    /// Closes a descriptor. The system drops its registration, and already reported events become
    /// void.
    void closeFd(int fd) {
        if (fd < registered.length) {
            registered[fd] = null;
            generations[fd]++;
        }
        calls.close(fd);
    }

    void setLinger(int fd) {
        number.set(JAVA_INT_UNALIGNED, 0, 1);
        number.set(JAVA_INT_UNALIGNED, 4, 0);
        calls.setOption(fd, Syscalls.SOL_SOCKET, Syscalls.SO_LINGER, number.address(), 8);
    }

    /// Sends up to [#VECTOR_MOST] buffers in one call.
    ///
    /// @return bytes sent, or a negated error number
    long send(int fd, ByteBuffer[] parts, int count) {
        int most = Math.min(count, VECTOR_MOST);
        for (int i = 0; i < most; i++) {
            if (!parts[i].isDirect()) {
                return i == 0 ? send(fd, parts[0], Syscalls.MSG_NOSIGNAL) : vector(fd, i);
            }
            put(i, parts[i]);
        }
        return vector(fd, most);
    }

    private void put(int at, ByteBuffer direct) {
        vector.set(JAVA_LONG_UNALIGNED, 16L * at, BufferAddress.of(direct));
        vector.set(JAVA_LONG_UNALIGNED, 16L * at + 8, direct.remaining());
    }

    @Override
    public long readNow(FileChannel file, long position, ByteBuffer[] into, int count) {
        int number = FileDescriptors.of(file);
        if (number < 0) {
            return 0; // such as a file in an archive
        }
        int most = Math.min(count, VECTOR_MOST);
        for (int i = 0; i < most; i++) {
            put(i, into[i]);
        }
        long n = Math.max(0, calls.readNow(number, vector.address(), most, position));
        skip(into, most, n);
        return n;
    }

    /// Moves the positions of buffers on.
    static void skip(ByteBuffer[] parts, int count, long bytes) {
        long left = bytes;
        for (int i = 0; i < count && left > 0; i++) {
            int taken = (int) Math.min(left, parts[i].remaining());
            parts[i].position(parts[i].position() + taken);
            left -= taken;
        }
    }

    /// Sends one buffer. A heap buffer is copied to a direct buffer first, as much as fits.
    ///
    /// @param flags of `send(2)`
    /// @return bytes sent, or a negated error number
    long send(int fd, ByteBuffer part, int flags) {
        if (part.isDirect()) {
            return calls.send(fd, BufferAddress.of(part), part.remaining(), flags);
        }
        int n = Math.min(scratch.capacity(), part.remaining());
        scratch.clear().put(0, part, part.position(), n);
        return calls.send(fd, BufferAddress.of(scratch), n, flags);
    }

    /// Sends a region of a file.
    ///
    /// @return bytes sent, 0 past the end of the file, or a negated error number
    long sendFile(int fd, int file, long position, long length) {
        number.set(JAVA_LONG_UNALIGNED, 0, position);
        return calls.sendfile(fd, file, number.address(), length);
    }

    /// Sends a region of a file that has no descriptor, such as a file in an archive.
    ///
    /// @return bytes sent, 0 past the end of the file, or a negated error number
    long copyFile(int fd, FileChannel file, long position, long length) throws IOException {
        scratch.clear().limit((int) Math.min(scratch.capacity(), length));
        int n = file.read(scratch, position);
        if (n <= 0) {
            return 0;
        }
        return calls.send(fd, BufferAddress.of(scratch.flip()), n, Syscalls.MSG_NOSIGNAL);
    }

    private long vector(int fd, int count) {
        return calls.writev(fd, vector.address(), count);
    }

    private void control(int operation, int fd, int interest) {
        event.set(JAVA_INT_UNALIGNED, 0, interest);
        long generation = fd < generations.length ? generations[fd] : 0;
        event.set(JAVA_LONG_UNALIGNED, eventData, generation << 32 | fd);
        int result = calls.epollControl(epoll, operation, fd, event.address());
        if (result < 0) {
            throw new IllegalStateException("epoll_ctl: " + Syscalls.text(result));
        }
    }

    void set(int fd, int level, int name, int value) throws IOException {
        number.set(JAVA_INT_UNALIGNED, 0, value);
        checked(calls.setOption(fd, level, name, number.address(), 4), "setsockopt");
    }

    /// Returns the bytes that the peer of a TCP connection has acknowledged; -1 if the system does
    /// not tell.
    long acknowledged(int fd) {
        return readsInfo(fd)
                ? vector.get(JAVA_LONG_UNALIGNED, TCP_INFO_ACKNOWLEDGED_AT)
                : Transport.UNKNOWN;
    }

    /// Returns how many connections the system queues for a listening TCP socket; 0 if it does not
    /// tell.
    int backlog(int fd) {
        return readsInfo(fd) ? vector.get(JAVA_INT_UNALIGNED, TCP_INFO_BACKLOG_AT) : 0;
    }

    private boolean readsInfo(int fd) {
        number.set(JAVA_INT_UNALIGNED, 0, TCP_INFO_BYTES);
        long size = number.address();
        int result =
                calls.getOption(
                        fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_INFO, vector.address(), size);
        return result >= 0 && number.get(JAVA_INT_UNALIGNED, 0) >= TCP_INFO_BYTES;
    }

    /// Sends an acknowledgement that the system has delayed. TCP_QUICKACK is no lasting setting: the
    /// system soon delays acknowledgements again (`tcp(7)`).
    void acknowledgeNow(int fd) {
        number.set(JAVA_INT_UNALIGNED, 0, 1);
        calls.setOption(fd, Syscalls.IPPROTO_TCP, Syscalls.TCP_QUICKACK, number.address(), 4);
    }

    /// Returns the error of a socket, and clears it; 0 if there is none.
    int pendingError(int fd) {
        number.set(JAVA_INT_UNALIGNED, 4, 4);
        long value = number.address();
        int result = calls.getOption(fd, Syscalls.SOL_SOCKET, Syscalls.SO_ERROR, value, value + 4);
        return result < 0 ? -result : number.get(JAVA_INT_UNALIGNED, 0);
    }

    private static int checked(int result, String call) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Syscalls.text(result));
        }
        return result;
    }

    private static int opened(int result) {
        if (result < 0) {
            throw new UncheckedIOException(
                    "epoll could not be opened", new IOException(Syscalls.text(result)));
        }
        return result;
    }
}
