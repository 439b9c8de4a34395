package dev.serval;

import dev.serval.net.Listener;
import dev.serval.net.epoll.ListeningDescriptors;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// An address at which another process has begun to listen: its service manager, or its predecessor
/// ([HandOver]). [ListenerSpec#on] makes a listener of it. That needs the epoll transport.
///
/// The descriptors stay open until [#close], also after a listener was opened or closed. So a
/// listener can be opened again, and no client is refused in between. While any descriptor is open,
/// the system takes connections, although nobody may accept them. Any thread.
public final class ListeningSocket implements AutoCloseable {
    private static final int FIRST_DESCRIPTOR = 3; // sd_listen_fds(3)
    private static final int DESCRIPTORS_MAX = 1024;
    private static final String UNNAMED = "unknown"; // as systemd calls it

    private final String name;
    private final SocketAddress address;
    private final List<Integer> descriptors;
    private final boolean ownsFile;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ListeningSocket(
            String name, SocketAddress address, List<Integer> descriptors, boolean ownsFile) {
        this.name = name;
        this.address = address;
        this.descriptors = List.copyOf(descriptors);
        this.ownsFile = ownsFile;
    }

    /// Returns the sockets that a service manager such as systemd has passed to this process, in the
    /// order of their numbers; none if it has passed none. LISTEN_FDS is how many there are, from
    /// number 3; LISTEN_PID is for whom they are, and LISTEN_FDNAMES has their names.
    ///
    /// @param environment the variables of this process, `System.getenv()`
    /// @param pid the number of this process
    /// @throws IOException if a variable is malformed, or a descriptor is no listening socket
    public static List<ListeningSocket> inherited(Map<String, String> environment, long pid)
            throws IOException {
        return inherited(environment, pid, FIRST_DESCRIPTOR);
    }

    static List<ListeningSocket> inherited(
            Map<String, String> environment, long pid, int firstDescriptor) throws IOException {
        String count = environment.getOrDefault("LISTEN_FDS", "");
        if (count.isEmpty()
                || number("LISTEN_PID", environment.getOrDefault("LISTEN_PID", "")) != pid) {
            return List.of();
        }
        long sockets = number("LISTEN_FDS", count);
        if (sockets < 0 || sockets > DESCRIPTORS_MAX) {
            throw new IOException(
                    "LISTEN_FDS must be from 0 to " + DESCRIPTORS_MAX + ", not " + sockets);
        }
        String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        List<ListeningSocket> found = new ArrayList<>();
        for (int i = 0; i < sockets; i++) {
            String name = names.length == sockets && !names[i].isEmpty() ? names[i] : UNNAMED;
            found.add(of(name, List.of(firstDescriptor + i), false));
        }
        return List.copyOf(found);
    }

    private static long number(String variable, String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(variable + " must be a number, not \"" + text + "\"", e);
        }
    }

    /// Returns the socket of open descriptors that are bound to one address. It owns them.
    ///
    /// @param ownsFile whether a listener deletes the file of a Unix-domain socket when it closes
    static ListeningSocket of(String name, List<Integer> descriptors, boolean ownsFile)
            throws IOException {
        HashSet<SocketAddress> addresses = new HashSet<>();
        for (int descriptor : descriptors) {
            addresses.add(ListeningDescriptors.address(descriptor));
        }
        if (addresses.size() != 1) {
            throw new IOException(
                    "The descriptors of listening socket "
                            + name
                            + " have several addresses: "
                            + addresses);
        }
        return new ListeningSocket(name, addresses.iterator().next(), descriptors, ownsFile);
    }

    /// Returns the name that the service manager has given to it, such as `web.socket`; for a socket
    /// of a predecessor, the name that it had there. Several sockets may have one name.
    public String name() {
        return name;
    }

    /// Returns the address to which it is bound.
    public SocketAddress address() {
        return address;
    }

    /// Returns the numbers of the descriptors in this process. A predecessor has one for each of its
    /// loops.
    public List<Integer> descriptors() {
        return descriptors;
    }

    /// Returns whether a listener deletes the file of a Unix-domain socket when it closes: the file
    /// of a predecessor, but not that of a service manager.
    public boolean ownsFile() {
        return ownsFile;
    }

    Listener.Inherited forListener() {
        return new Listener.Inherited(address, descriptors, ownsFile);
    }

    /// Closes the descriptors. Listeners that were opened have their own, and continue.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ListeningDescriptors.close(descriptors);
        }
    }

    @Override
    public String toString() {
        return name + " at " + address;
    }
}
