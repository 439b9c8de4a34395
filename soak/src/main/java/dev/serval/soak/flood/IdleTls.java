package dev.serval.soak.flood;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Many connections with TLS that have begun and stay open: with HTTP/1.1 after an answer, with HTTP/2
/// with a stream that waits for one. An idle client needs no keys, so most connections are only a
/// socket here; every hundredth keeps its keys, to ask again. Used by one thread.
final class IdleTls implements AutoCloseable {
    private static final int OPENERS = 4;
    private static final int KEPT_EVERY = 100;
    private static final int READ_BYTES = 32 << 10;

    private final List<Held> all;
    private final GoodClient.Page page;

    /// A connection.
    ///
    /// @param client null if it has dropped its keys
    private record Held(SocketChannel channel, @Nullable IdleClient client) {}

    private IdleTls(List<Held> all, GoodClient.Page page) {
        this.all = all;
        this.page = page;
    }

    /// Opens the connections. Each does a whole handshake, because each asks for another name.
    ///
    /// @param port on the loopback address, with the certificate of [TestKeys#local]
    /// @param streams whether by HTTP/2, with a stream that waits
    /// @throws IOException if one of them gets no answer
    static IdleTls open(int port, GoodClient.Page page, int count, boolean streams)
            throws IOException, InterruptedException {
        SSLContext context = TestKeys.trustingLocal();
        IdleTls idle = new IdleTls(Collections.synchronizedList(new ArrayList<>()), page);
        AtomicInteger next = new AtomicInteger();
        Callable<Void> opener =
                () -> {
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        TlsClient tls = TlsClient.named(context, "idle-" + i + ".test");
                        idle.open(
                                port,
                                tls.offering(streams ? "h2" : "http/1.1").begin(),
                                streams,
                                i % KEPT_EVERY == 0);
                    }
                    return null;
                };
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(OPENERS, opener))) {
                each.get();
            }
            return idle;
        } catch (ExecutionException e) {
            idle.close();
            throw new BenchFailure("an idle client got no answer: " + e.getCause());
        }
    }

    private void open(int port, TlsClient tls, boolean streams, boolean keeps) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        TlsSocket socket = new TlsSocket(channel, tls);
        IdleClient client = streams ? new WaitingStream(socket) : new IdleClient.Answered(socket);
        all.add(new Held(channel, keeps ? client : null));
        client.begin(page);
    }

    /// Asks again on the connections that have kept their keys.
    ///
    /// @return what was wrong
    List<String> askAgain() {
        List<String> faults = new ArrayList<>();
        for (Held each : all) {
            IdleClient client = each.client;
            if (client == null) {
                continue;
            }
            try {
                client.askAgain(page);
            } catch (IOException e) {
                faults.add("A connection that was idle got no answer: " + e.getMessage());
            }
        }
        return faults;
    }

    /// Returns how many connections the server has closed. Nothing else arrives at them.
    int closed() throws IOException {
        int closed = 0;
        ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
        for (Held each : all) {
            if (each.client != null) {
                continue; // has just had an answer
            }
            each.channel.configureBlocking(false);
            int n = each.channel.read(in.clear());
            while (n > 0) { // tickets
                n = each.channel.read(in.clear());
            }
            closed += n < 0 ? 1 : 0;
        }
        return closed;
    }

    @Override
    public void close() throws IOException {
        for (Held each : all) {
            each.channel.close();
        }
    }
}
