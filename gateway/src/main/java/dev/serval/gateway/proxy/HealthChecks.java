package dev.serval.gateway.proxy;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.tls.UpstreamTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Asks upstreams at intervals whether they are well. Two failures in a row mark an upstream down,
/// one success marks it up. An answer from 200 to 399 within the time is a success.
///
/// Each upstream has a virtual thread of its own, so one that does not answer delays no other. The
/// threads end with [#close].
public final class HealthChecks implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HealthChecks.class.getName());
    private static final String LOCALHOST = "localhost";
    private static final int FAILURES_MAX = 2;
    private static final int STATUS_LINE_BYTES = "HTTP/1.1 200".length();

    /// Opens a socket for an address, which is not connected yet. A failure is one of this machine.
    @FunctionalInterface
    interface Opening {
        SocketChannel open(SocketAddress address) throws IOException;
    }

    private final Opening opening;
    private final String path;
    private final @Nullable String host;
    private final long intervalNanos;
    private final long timeoutNanos;
    private final CountDownLatch end = new CountDownLatch(1);

    /// Starts to check.
    ///
    /// @param path percent-encoded, such as `/health`
    /// @param host the value of Host; null for the address of each upstream, as in its name, or
    ///     `localhost` at a Unix-domain socket
    /// @param intervalNanos between an answer and the next question
    /// @param timeoutNanos for one answer
    public static HealthChecks start(
            List<Upstream> upstreams,
            String path,
            @Nullable String host,
            long intervalNanos,
            long timeoutNanos) {
        return start(
                upstreams,
                new HealthChecks(HealthChecks::opened, path, host, intervalNanos, timeoutNanos));
    }

    /// Starts to check with another way to open sockets.
    static HealthChecks start(List<Upstream> upstreams, Opening opening, long intervalNanos) {
        return start(
                upstreams,
                new HealthChecks(opening, "/", null, intervalNanos, TimeUnit.HOURS.toNanos(1)));
    }

    private static HealthChecks start(List<Upstream> upstreams, HealthChecks checks) {
        for (Upstream upstream : upstreams) {
            Thread.ofVirtual()
                    .name("serval-check-" + upstream.name())
                    .start(() -> checks.run(upstream));
        }
        return checks;
    }

    private HealthChecks(
            Opening opening,
            String path,
            @Nullable String host,
            long intervalNanos,
            long timeoutNanos) {
        this.opening = opening;
        this.path = path;
        this.host = host;
        this.intervalNanos = intervalNanos;
        this.timeoutNanos = timeoutNanos;
    }

    /// Returns the question to an upstream.
    ///
    /// @param host the value of Host, or null, as for [#start]
    static String request(Upstream upstream, String path, @Nullable String host) {
        boolean local = upstream.addresses().getFirst() instanceof UnixDomainSocketAddress;
        String address = local ? LOCALHOST : upstream.name();
        return "GET "
                + path
                + " HTTP/1.1\r\nHost: "
                + (host == null ? address : host)
                + "\r\nUser-Agent: serval-check\r\nConnection: close\r\n\r\n";
    }

    /// Ends the checks. One in progress ends within its time.
    @Override
    public void close() {
        end.countDown();
    }

    private void run(Upstream upstream) {
        int failures = 0;
        try {
            do {
                failures = checked(upstream, failures);
            } while (!end.await(intervalNanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Checks an upstream once.
    ///
    /// @param failures of the checks before, one after the other
    /// @return the same with this check
    private int checked(Upstream upstream, int failures) throws InterruptedException {
        try {
            boolean well = isWell(upstream);
            if (well && failures >= FAILURES_MAX) {
                upstream.mark(true);
                LOG.log(INFO, "Upstream " + upstream.name() + " passes its check again.");
            } else if (!well && failures + 1 == FAILURES_MAX) {
                upstream.mark(false);
                LOG.log(
                        INFO,
                        "Upstream "
                                + upstream.name()
                                + " fails its check. Until it passes, it gets requests only if no other is up.");
            }
            return well ? 0 : Math.min(failures + 1, FAILURES_MAX);
        } catch (RuntimeException
                | Error e) { // no memory, no descriptor: nothing is known, so check again
            LOG.log(DEBUG, "A check could not be made", e);
            return failures;
        }
    }

    /// Returns whether the upstream passes at one of its addresses, which is then used first.
    private boolean isWell(Upstream upstream) throws InterruptedException {
        for (SocketAddress address : upstream.addresses()) {
            if (isWell(upstream, address)) {
                upstream.reached(address);
                return true;
            }
        }
        return false;
    }

    /// Returns whether the upstream answers with a status from 200 to 399 in time. To close the
    /// channel is what ends a question without an answer.
    private boolean isWell(Upstream upstream, SocketAddress address) throws InterruptedException {
        AtomicBoolean well = new AtomicBoolean();
        try (SocketChannel channel = opening.open(address)) {
            Thread question =
                    Thread.ofVirtual()
                            .name("serval-check")
                            .start(() -> well.set(answersWell(channel, upstream, address)));
            return question.join(Duration.ofNanos(timeoutNanos)) && well.get();
        } catch (IOException e) { // connecting and all else happens on that thread
            throw new UncheckedIOException(e);
        }
    }

    private static SocketChannel opened(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
    }

    private boolean answersWell(SocketChannel channel, Upstream upstream, SocketAddress address) {
        try {
            channel.connect(address);
            byte[] request = request(upstream, path, host).getBytes(StandardCharsets.ISO_8859_1);
            @Nullable UpstreamTls tls = upstream.tls();
            byte[] line =
                    tls != null && address instanceof InetSocketAddress inet
                            ? ask(
                                    tls.socket(
                                            channel.socket(), inet.getHostString(), inet.getPort()),
                                    request)
                            : ask(channel, request);
            return new String(line, StandardCharsets.ISO_8859_1).matches("HTTP/1\\.\\d [23]\\d\\d");
        } catch (IOException e) {
            LOG.log(DEBUG, "A check failed", e);
            return false;
        }
    }

    /// Returns the begin of the answer, up to the status.
    private static byte[] ask(SocketChannel channel, byte[] request) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(request);
        while (out.hasRemaining()) {
            channel.write(out);
        }
        ByteBuffer line = ByteBuffer.allocate(STATUS_LINE_BYTES);
        while (line.hasRemaining() && channel.read(line) >= 0) {
            // until the status is here
        }
        return Arrays.copyOf(line.array(), line.position());
    }

    private static byte[] ask(SSLSocket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        return socket.getInputStream().readNBytes(STATUS_LINE_BYTES);
    }
}
