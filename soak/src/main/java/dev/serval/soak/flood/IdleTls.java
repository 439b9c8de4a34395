package dev.serval.soak.flood;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
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

/// Many connections with TLS that have had one answer and stay open. An idle client needs no keys, so
/// most connections are only a socket here; every hundredth keeps its keys, to ask again. Used by one
/// thread.
final class IdleTls implements AutoCloseable {
    private static final int OPENERS = 4;
    private static final int KEPT_EVERY = 100;
    private static final int READ_BYTES = 32 << 10;

    private final List<Held> all;
    private final GoodClient.Page page;

    /// A connection.
    ///
    /// @param tls null if it has dropped its keys
    private record Held(SocketChannel channel, @Nullable TlsClient tls) {}

    private IdleTls(List<Held> all, GoodClient.Page page) {
        this.all = all;
        this.page = page;
    }

    /// Opens the connections. Each does a whole handshake, because each asks for another name.
    ///
    /// @param port on the loopback address, with the certificate of [TestKeys#local]
    /// @throws IOException if one of them gets no answer
    static IdleTls open(int port, GoodClient.Page page, int count)
            throws IOException, InterruptedException {
        SSLContext context = TestKeys.trustingLocal();
        IdleTls idle = new IdleTls(Collections.synchronizedList(new ArrayList<>()), page);
        AtomicInteger next = new AtomicInteger();
        Callable<Void> opener =
                () -> {
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        TlsClient tls = TlsClient.named(context, "idle-" + i + ".test");
                        idle.open(port, tls.begin(), i % KEPT_EVERY == 0);
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

    private void open(int port, TlsClient tls, boolean keeps) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Held held = new Held(channel, keeps ? tls : null);
        all.add(held);
        ask(channel, tls);
    }

    /// Asks again on the connections that have kept their keys.
    ///
    /// @return what was wrong
    List<String> askAgain() {
        List<String> faults = new ArrayList<>();
        for (Held each : all) {
            TlsClient tls = each.tls;
            if (tls == null) {
                continue;
            }
            try {
                ask(each.channel, tls);
            } catch (IOException e) {
                faults.add("A connection that was idle got no answer: " + e.getMessage());
            }
        }
        return faults;
    }

    /// Sends a request, and checks its answer.
    private void ask(SocketChannel channel, TlsClient tls) throws IOException {
        byte[] request =
                ("GET " + page.path() + " HTTP/1.1\r\nHost: idle\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        tls.send(request, 0, request.length);
        ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
        StringBuilder answer = new StringBuilder();
        int end = -1;
        while (end < 0 || answer.length() < end + page.content().length) {
            ByteBuffer out = ByteBuffer.wrap(tls.toSend());
            while (out.hasRemaining()) {
                channel.write(out);
            }
            int n = channel.read(in.clear());
            if (n < 0) {
                throw new EOFException("the server closed after \"" + answer + "\"");
            }
            tls.receive(in.array(), 0, n);
            answer.append(new String(tls.take(), StandardCharsets.ISO_8859_1));
            int head = answer.indexOf("\r\n\r\n");
            end = head < 0 ? -1 : head + 4;
        }
        String content = new String(page.content(), StandardCharsets.ISO_8859_1);
        if (!answer.substring(0, 12).equals("HTTP/1.1 200")
                || !answer.substring(end).equals(content)) {
            throw new IOException("wrong answer: " + answer.substring(0, end));
        }
    }

    /// Returns how many connections the server has closed. Nothing else arrives at them.
    int closed() throws IOException {
        int closed = 0;
        ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
        for (Held each : all) {
            if (each.tls != null) {
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
