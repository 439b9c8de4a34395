package dev.serval;

import dev.serval.loop.Clock;
import dev.serval.net.epoll.DescriptorChannel;
import dev.serval.net.epoll.DescriptorChannel.Packet;
import dev.serval.net.epoll.ListeningDescriptors;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Passes listening sockets from a process to its successor, so that no client is refused while the
/// one takes over from the other. The connections that wait for an accept stay with the sockets.
///
/// ```
///   predecessor                              successor
///   sockets = server.handOver()
///   HandOver.give(file, sockets, time)  ───▶  taken = HandOver.take(file, time)
///     … waits                                 opens listeners on taken.sockets()
///     … returns                         ◀───  taken.confirm()
///   server.leave()                            taken.close()
///   server.stop(time)
/// ```
///
/// The file is a Unix-domain socket that only the user of the predecessor can open. Its folder should
/// belong to that user, because whoever can make the file can pose as the predecessor. Needs epoll.
/// Owned by one thread, which may wait.
public final class HandOver implements AutoCloseable {
    private static final String VERSION = "serval-sockets 1 ";
    private static final String FILE = "file";
    private static final String NO_FILE = "-";
    private static final String ACCEPTING = "accepting";
    private static final int SOCKETS_MAX = 1024;
    private static final int DESCRIPTORS_MAX = 16_384;
    private static final int NAME_MAX_CHARS = 200;
    private static final long LOOK_NANOS = 1_000_000;

    /// One try of something that cannot wait by itself.
    private interface Attempt<T> {
        /// Returns the result, or null if it must be tried again.
        @Nullable T attempt() throws IOException;
    }

    private final DescriptorChannel channel;
    private final List<ListeningSocket> sockets;
    private final long endNanos;

    private HandOver(DescriptorChannel channel, List<ListeningSocket> sockets, long endNanos) {
        this.channel = channel;
        this.sockets = sockets;
        this.endNanos = endNanos;
    }

    /// Waits for the successor at `file`, gives it the sockets, and waits until it accepts from all
    /// of them. The sockets stay open in this process too.
    ///
    /// @param file must not exist; it is deleted at the end
    /// @throws SocketTimeoutException if the successor has not confirmed in time
    /// @throws IOException if the successor ends before, or the file cannot be made; in each case this
    ///     process should go on
    public static void give(Path file, List<ListeningSocket> sockets, Duration atMost)
            throws IOException {
        give(file, sockets, atMost, () -> true);
    }

    /// Gives the sockets as the other method does, unless the successor ends before.
    ///
    /// @param runs whether the successor still runs
    /// @throws IOException as the other method, and if the successor has ended
    public static void give(
            Path file, List<ListeningSocket> sockets, Duration atMost, BooleanSupplier runs)
            throws IOException {
        long end = Clock.SYSTEM.nanos() + atMost.toNanos();
        try (DescriptorChannel door = DescriptorChannel.listen(file)) {
            try (DescriptorChannel successor =
                    await("its successor", end, () -> running(runs, door.accept()))) {
                for (Packet packet : packets(sockets)) {
                    await("its successor", end, () -> successor.send(packet) ? packet : null);
                }
                Packet answer = await("its successor", end, successor::receive);
                ListeningDescriptors.close(answer.descriptors());
                if (!answer.text().equals(ACCEPTING)) {
                    throw new IOException("The successor has answered something unknown");
                }
            } finally {
                Files.deleteIfExists(file);
            }
        }
    }

    private static @Nullable DescriptorChannel running(
            BooleanSupplier runs, @Nullable DescriptorChannel accepted) throws IOException {
        if (accepted == null && !runs.getAsBoolean()) {
            throw new IOException("The successor has ended");
        }
        return accepted;
    }

    /// Takes the sockets of the predecessor that waits at `file`, or will wait there in time.
    ///
    /// @param atMost for this, and until [#confirm]
    /// @throws SocketTimeoutException if they have not all come in time
    /// @throws IOException if the predecessor ends before, or sends something unknown
    public static HandOver take(Path file, Duration atMost) throws IOException {
        long end = Clock.SYSTEM.nanos() + atMost.toNanos();
        DescriptorChannel channel =
                await("its predecessor", end, () -> DescriptorChannel.connect(file));
        List<ListeningSocket> taken = new ArrayList<>();
        boolean all = false;
        try {
            receive(channel, end, taken);
            all = true;
            return new HandOver(channel, List.copyOf(taken), end);
        } finally {
            if (!all) {
                taken.forEach(ListeningSocket::close);
                channel.close();
            }
        }
    }

    /// Returns the sockets, which the caller closes.
    public List<ListeningSocket> sockets() {
        return sockets;
    }

    /// Tells the predecessor that this process accepts from all of the sockets, so that it may stop.
    ///
    /// @throws IOException if the predecessor has gone
    public void confirm() throws IOException {
        Packet answer = new Packet(ACCEPTING, List.of());
        await("its predecessor", endNanos, () -> channel.send(answer) ? answer : null);
    }

    /// Ends the connection to the predecessor. Without a [#confirm] before, it goes on.
    @Override
    public void close() {
        channel.close();
    }

    /// Returns the number of sockets, and then each socket with its descriptors. If there are many,
    /// several packets have them.
    private static List<Packet> packets(List<ListeningSocket> sockets) {
        List<Packet> packets = new ArrayList<>();
        for (ListeningSocket socket : sockets) {
            String name = socket.name().replace('\n', ' ');
            List<Integer> all = socket.descriptors();
            for (int from = 0; from < all.size(); from += DescriptorChannel.DESCRIPTORS_MAX) {
                int to = Math.min(all.size(), from + DescriptorChannel.DESCRIPTORS_MAX);
                packets.add(
                        new Packet(
                                (to == all.size() ? "last " : "more ")
                                        + (socket.ownsFile() ? FILE : NO_FILE)
                                        + " "
                                        + name.substring(
                                                0, Math.min(name.length(), NAME_MAX_CHARS)),
                                all.subList(from, to)));
            }
        }
        packets.addFirst(new Packet(VERSION + sockets.size(), List.of()));
        return packets;
    }

    private static void receive(DescriptorChannel channel, long end, List<ListeningSocket> taken)
            throws IOException {
        int count = count(await("its predecessor", end, channel::receive));
        List<Integer> descriptors = new ArrayList<>(); // of the socket that is not complete
        int sum = 0;
        try {
            while (taken.size() < count) {
                Packet packet = await("its predecessor", end, channel::receive);
                descriptors.addAll(packet.descriptors());
                sum += packet.descriptors().size();
                String[] words = packet.text().split(" ", 3);
                if (words.length != 3 || packet.descriptors().isEmpty() || sum > DESCRIPTORS_MAX) {
                    throw unknown();
                }
                if (words[0].equals("last")) {
                    boolean file = words[1].equals(FILE);
                    taken.add(ListeningSocket.of(words[2], descriptors, file));
                    descriptors = new ArrayList<>();
                }
            }
        } finally {
            ListeningDescriptors.close(descriptors);
        }
    }

    private static int count(Packet first) throws IOException {
        ListeningDescriptors.close(first.descriptors());
        String text = first.text();
        String number = text.startsWith(VERSION) ? text.substring(VERSION.length()) : "";
        if (!number.matches("[0-9]{1,4}") || Integer.parseInt(number) > SOCKETS_MAX) {
            throw unknown();
        }
        return Integer.parseInt(number);
    }

    private static IOException unknown() {
        return new IOException("The predecessor has sent something unknown");
    }

    /// Tries until there is a result.
    private static <T> T await(String whom, long end, Attempt<T> attempt) throws IOException {
        while (true) {
            @Nullable T result = attempt.attempt();
            if (result != null) {
                return result;
            }
            if (Clock.SYSTEM.nanos() - end >= 0) {
                throw new SocketTimeoutException(
                        "A hand-over of listening sockets ended, because "
                                + whom
                                + " has not answered in time");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
