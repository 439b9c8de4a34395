package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.handler.Mapping;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Exchanges whose handler returns before the response is complete, and streams that do not wait.
@Timeout(120)
final class DetachedTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int PIECE = 3000;

    private final Mapping mapping = new Mapping("detached");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    static List<BlockingServerTest.Mode> modes() {
        return BlockingServerTest.modes().toList();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void laterHandlerCompletesTheResponse(BlockingServerTest.Mode mode) throws Exception {
        Serval server =
                mode.serve(
                        x -> {
                            write(x, "first ");
                            x.detach();
                            threads.execute(() -> x.resume(mapping, again -> write(again, "then")));
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            for (int i = 0; i < 500; i++) {
                assertThat(client.exchange(GET).text()).isEqualTo("first then");
            }
        }
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void handlerMayDetachManyTimes(BlockingServerTest.Mode mode) throws Exception {
        Serval server = mode.serve(x -> step(x, 0), Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.exchange(GET).text()).isEqualTo("0123456789");
            }
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private void step(BlockingExchange x, int number) throws IOException {
        write(x, String.valueOf(number));
        if (number < 9) {
            x.detach();
            x.resume(mapping, again -> step(again, number + 1));
        }
    }

    @Test
    void attachedHandlerCompletesTheResponseItself() throws Exception {
        Serval server =
                modes().getFirst()
                        .serve(
                                x -> {
                                    x.detach();
                                    x.attach();
                                    write(x, "whole");
                                },
                                Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            RawResponse response = client.exchange(GET);
            assertThat(response.text()).isEqualTo("whole");
            assertThat(response.field("Content-Length")).isEqualTo("5");
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @Test
    void callbackThatThrowsEndsTheExchange() throws Exception {
        Serval server =
                modes().getFirst()
                        .serve(
                                x -> {
                                    x.detach();
                                    x.onWritable(() -> {
                                        throw new IllegalStateException("wrong");
                                    });
                                },
                                Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            assertThat(client.exchange(GET).status()).isEqualTo(500);
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @Test
    void abortWhileDetachedRunsCallbackAndReleasesEverything() throws Exception {
        LinkedBlockingQueue<BlockingExchange> aborted = new LinkedBlockingQueue<>();
        AtomicInteger resumed = new AtomicInteger();
        LinkedBlockingQueue<BlockingExchange> begun = new LinkedBlockingQueue<>();
        Serval server =
                modes().getFirst()
                        .serve(
                                x -> {
                                    x.onAbort(() -> aborted.add(x));
                                    write(x, "half");
                                    x.output().flush();
                                    x.detach();
                                    begun.add(x);
                                },
                                Limits.DEFAULT);
        RawClient client = RawClient.connect(server.addresses().getFirst());
        client.send(GET).until("half");
        BlockingExchange x = begun.take();
        client.reset();
        assertThat(aborted.take()).isSameAs(x);
        x.resume(mapping, _ -> resumed.incrementAndGet());
        server.close();
        LeakCheck.nothingHeld(server);
        assertThat(resumed).hasValue(0);
    }

    @Test
    void readsContentAsItArrivesWithoutWaiting() throws Exception {
        Serval server = modes().getFirst().serve(this::echoWithoutWaiting, Limits.DEFAULT);
        StringBuilder sent = new StringBuilder();
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 50; i++) {
                String piece = String.valueOf((char) ('a' + i % 26)).repeat(1 + i * 100);
                sent.append(piece);
                client.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
            }
            client.send("0\r\n\r\n");
            assertThat(client.answer("POST").text()).isEqualTo(sent.toString());
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private void echoWithoutWaiting(BlockingExchange x) throws IOException {
        InputStream in = x.input();
        byte[] piece = new byte[PIECE];
        while (x.readsWithoutWaiting()) {
            int n = in.read(piece);
            if (n < 0) {
                return;
            }
            x.output().write(piece, 0, n);
        }
        x.detach();
        x.onReadable(() -> x.resume(mapping, this::echoWithoutWaiting));
    }

    @Test
    void slowClientGetsLongContentThatWasWrittenWithoutWaiting() throws Exception {
        int pieces = 2000;
        AtomicInteger waits = new AtomicInteger();
        Serval server =
                modes().getFirst()
                        .serve(
                                x -> {
                                    x.withoutWaiting();
                                    pour(x, pieces, waits);
                                },
                                Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst(), 8 << 10)) {
            client.send(GET);
            Await.until("the writer waits for room", () -> waits.get() > 0);
            RawResponse response = client.answer();
            assertThat(response.text()).hasSize(pieces * PIECE).matches("x+");
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private void pour(BlockingExchange x, int pieces, AtomicInteger waits) throws IOException {
        byte[] piece = "x".repeat(PIECE).getBytes(StandardCharsets.US_ASCII);
        for (int left = pieces; left > 0; left--) {
            if (!x.writesWithoutWaiting()) {
                int rest = left;
                waits.incrementAndGet();
                x.detach();
                x.onWritable(() -> x.resume(mapping, again -> pour(again, rest, waits)));
                return;
            }
            x.output().write(piece);
        }
    }

    private static void write(BlockingExchange x, String text) {
        try {
            x.output().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
