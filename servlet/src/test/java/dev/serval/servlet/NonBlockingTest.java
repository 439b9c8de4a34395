package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.SocketWire;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Streams with listeners over sockets (Servlet 6.1 §3.7, §5.7).
@EveryMode
@Timeout(120)
final class NonBlockingTest {
    private final Trace trace = new Trace();

    private ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(
                WebApp.at("").servlet("/s", new CodeServlet(code)).listener(trace),
                ServletServer.PATIENT);
    }

    /// Reads pieces, and answers with all of them, each in brackets.
    private final class Pieces implements ReadListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final StringBuilder text = new StringBuilder();

        Pieces(HttpServletRequest request) throws IOException {
            async = request.startAsync();
            async.setTimeout(0);
            async.addListener(trace.listener());
            in = request.getInputStream();
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] some = new byte[1000];
            while (in.isReady() && !in.isFinished()) {
                int n = in.read(some);
                if (n > 0) {
                    String piece = new String(some, 0, n, StandardCharsets.ISO_8859_1);
                    text.append('[').append(piece).append(']');
                    trace.add(piece);
                }
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            trace.add("all");
            async.getResponse().getOutputStream().print(text.toString());
            async.complete();
        }

        @Override
        public void onError(Throwable thrown) {
            trace.add("onError");
        }
    }

    private static String post(String fields) {
        return "POST /s HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n";
    }

    @Test
    void readsPiecesAsTheyCome() throws Exception {
        try (ServletServer server =
                        serve((request, _) ->
                                request.getInputStream().setReadListener(new Pieces(request)));
                RawClient client = server.client()) {
            for (String framing :
                    new String[] {"Content-Length: 9", "Transfer-Encoding: chunked"}) {
                boolean chunked = framing.startsWith("T");
                client.send(post(framing));
                for (String piece : new String[] {"abc", "def", "ghi"}) {
                    client.send(chunked ? "3\r\n" + piece + "\r\n" : piece);
                    Await.until("the piece was read", () -> trace.has(piece));
                }
                client.send(chunked ? "0\r\n\r\n" : "");
                assertThat(client.answer("POST").text()).isEqualTo("[abc][def][ghi]");
                assertThat(trace.heard())
                        .endsWith("abc", "def", "ghi", "all", "complete", "destroyed");
                assertThat(trace.heard().size() % 6).isZero();
                trace.clear();
            }
        }
    }

    /// Reads on threads of its own, and stops where `stops` says so, as libraries do that convert the
    /// listeners into other streams.
    private ReadListener readingElsewhere(Pieces pieces, Predicate<ServletInputStream> stops) {
        return new ReadListener() {
            @Override
            public void onDataAvailable() {
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                byte[] some = new byte[1000];
                                while (pieces.in.isReady() && !stops.test(pieces.in)) {
                                    int n = pieces.in.read(some);
                                    trace.add(n < 0 ? "end" : "read");
                                    if (n < 0) {
                                        return;
                                    }
                                }
                            } catch (IOException
                                    | IllegalStateException e) { // the request may have ended
                                trace.add("late");
                            }
                        });
            }

            @Override
            public void onAllDataRead() throws IOException {
                pieces.onAllDataRead();
            }

            @Override
            public void onError(Throwable thrown) {
                trace.add("onError " + thrown);
            }
        };
    }

    static Stream<Predicate<ServletInputStream>> stops() {
        return Stream.of(ServletInputStream::isFinished, in -> false);
    }

    @ParameterizedTest
    @MethodSource("stops")
    void tellsTheEndThatAnotherThreadHasFound(Predicate<ServletInputStream> stops)
            throws Exception {
        try (ServletServer server =
                        serve((request, _) ->
                                request.getInputStream()
                                        .setReadListener(
                                                readingElsewhere(new Pieces(request), stops)));
                RawClient client = server.client()) {
            for (String framing : List.of("Content-Length: 9", "Transfer-Encoding: chunked")) {
                client.send(post(framing));
                client.send(framing.startsWith("T") ? "9\r\nabcdefghi\r\n0\r\n\r\n" : "abcdefghi");
                assertThat(client.answer("POST").status()).isEqualTo(200);
                Await.until("the request has ended", () -> trace.has("destroyed"));
                assertThat(trace.heard()).containsOnlyOnce("all");
                trace.clear();
            }
        }
    }

    /// A servlet whose WriteListener reads too, as an echo does.
    private ServletServer serveReadingWriter(WriteListener writer, AtomicReference<Pieces> made)
            throws IOException {
        return serve((request, response) -> {
            Pieces pieces = new Pieces(request);
            made.set(pieces);
            pieces.in.setReadListener(pieces);
            response.getOutputStream().setWriteListener(writer);
        });
    }

    @Test
    void readEventFromBeforeTheNextWaitChangesNothing() throws Exception {
        AtomicReference<Pieces> made = new AtomicReference<>();
        CountDownLatch waiting = new CountDownLatch(1);
        WriteListener writer =
                new WriteListener() {
                    @Override
                    public void onWritePossible() throws IOException {
                        Pieces pieces = made.get();
                        assertThat(pieces.in.isReady()).isFalse();
                        waiting.countDown();
                        // The arrival is also an event for the ReadListener, which is told later.
                        Await.until("a byte has arrived", pieces.in::isReady);
                        pieces.onDataAvailable();
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        trace.add("onError");
                    }
                };
        try (ServletServer server = serveReadingWriter(writer, made);
                RawClient client = server.client()) {
            client.send(post("Content-Length: 2"));
            Await.open("the servlet waits for content", waiting);
            client.send("a");
            Await.until("the first byte was read", () -> trace.has("a"));
            client.send("b");
            assertThat(client.answer("POST").text()).isEqualTo("[a][b]");
            assertThat(trace.heard()).contains("a", "b", "all").doesNotContain("onError");
        }
    }

    @Test
    void readListenerLearnsOfTheEndThatTheWriteListenerHasRead() throws Exception {
        AtomicReference<Pieces> made = new AtomicReference<>();
        WriteListener writer =
                new WriteListener() {
                    @Override
                    public void onWritePossible() throws IOException {
                        made.get().onDataAvailable();
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        trace.add("onError");
                    }
                };
        try (ServletServer server =
                        serve((request, response) -> {
                            Pieces pieces = new Pieces(request);
                            made.set(pieces);
                            ReadListener lazy =
                                    new ReadListener() {
                                        @Override
                                        public void onDataAvailable() {
                                            trace.add("available");
                                        }

                                        @Override
                                        public void onAllDataRead() throws IOException {
                                            pieces.onAllDataRead();
                                        }

                                        @Override
                                        public void onError(Throwable thrown) {
                                            pieces.onError(thrown);
                                        }
                                    };
                            pieces.in.setReadListener(lazy);
                            response.getOutputStream().setWriteListener(writer);
                        });
                RawClient client = server.client()) {
            client.send(post("Content-Length: 3") + "abc");
            assertThat(client.answer("POST").text()).isEqualTo("[abc]");
            assertThat(trace.heard()).contains("available", "abc", "all").doesNotContain("onError");
        }
    }

    @Test
    void emptyContentIsOnlyToldAsRead() throws Exception {
        AtomicInteger available = new AtomicInteger();
        try (ServletServer server =
                        serve((request, _) -> {
                            Pieces pieces = new Pieces(request);
                            request.getInputStream()
                                    .setReadListener(
                                            new ReadListener() {
                                                @Override
                                                public void onDataAvailable() {
                                                    available.incrementAndGet();
                                                }

                                                @Override
                                                public void onAllDataRead() throws IOException {
                                                    pieces.onAllDataRead();
                                                }

                                                @Override
                                                public void onError(Throwable thrown) {
                                                    pieces.onError(thrown);
                                                }
                                            });
                        });
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer().text()).isEmpty();
            client.send(post("Content-Length: 0"));
            assertThat(client.answer("POST").text()).isEmpty();
            client.send(post("Transfer-Encoding: chunked") + "0\r\n\r\n");
            assertThat(client.answer("POST").text()).isEmpty();
            assertThat(available.get()).isLessThanOrEqualTo(1); // the end came with a chunk's head
            assertThat(trace.heard().stream().filter("all"::equals)).hasSize(3);
        }
    }

    @Test
    void listenerMayBeSetByAnotherThread() throws Exception {
        try (ServletServer server =
                serve((request, _) -> {
                    Pieces pieces = new Pieces(request);
                    request.getAsyncContext()
                            .start(() -> {
                                try {
                                    request.getInputStream().setReadListener(pieces);
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
                })) {
            for (int i = 0; i < 200; i++) {
                assertThat(server.post("/s", "text").text()).isEqualTo("[text]");
            }
        }
    }

    @Test
    void lostClientIsToldOnce() throws Exception {
        try (ServletServer server =
                serve((request, _) ->
                        request.getInputStream().setReadListener(new Pieces(request)))) {
            RawClient client = server.client();
            client.send(post("Content-Length: 9") + "abc");
            Await.until("the piece was read", () -> trace.has("abc"));
            client.reset();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard())
                    .containsExactly("abc", "onError", "error", "complete", "destroyed");
        }
    }

    @Test
    void writerThatWaitsForALostClientIsToldOnce() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    async.addListener(trace.listener());
                    ServletOutputStream out = response.getOutputStream();
                    out.setWriteListener(
                            new WriteListener() {
                                @Override
                                public void onWritePossible() throws IOException {
                                    while (out.isReady()) {
                                        out.write(new byte[32 << 10]);
                                    }
                                    trace.add("waits");
                                }

                                @Override
                                public void onError(Throwable thrown) {
                                    trace.add("onError");
                                }
                            });
                })) {
            RawClient client = RawClient.connect(server.address(), 8 << 10);
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the writer waits", () -> trace.has("waits"));
            client.reset();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard().stream().filter(event -> !event.equals("waits")))
                    .containsExactly("onError", "error", "complete", "destroyed");
        }
    }

    @Test
    void clientLostWhileTheListenerRunsIsToldOnce() throws Exception {
        CountDownLatch known = new CountDownLatch(1);
        try (ServletServer server =
                serve((request, _) -> {
                    Pieces pieces = new Pieces(request);
                    request.getInputStream()
                            .setReadListener(
                                    new ReadListener() {
                                        @Override
                                        public void onDataAvailable() throws IOException {
                                            trace.add("available");
                                            Await.open("the server knows", known);
                                            pieces.onDataAvailable();
                                        }

                                        @Override
                                        public void onAllDataRead() throws IOException {
                                            pieces.onAllDataRead();
                                        }

                                        @Override
                                        public void onError(Throwable thrown) {
                                            pieces.onError(thrown);
                                        }
                                    });
                })) {
            RawClient client = server.client();
            client.send(post("Content-Length: 9") + "abc");
            Await.until("the listener runs", () -> trace.has("available"));
            client.reset();
            Await.until("the server knows", () -> server.server().connections() == 0);
            known.countDown();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).containsOnlyOnce("onError", "error", "complete", "destroyed");
        }
    }

    @Test
    void misuseIsRefused() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    ServletInputStream in = request.getInputStream();
                    ServletOutputStream out = response.getOutputStream();
                    Idle idle = new Idle();
                    assertThatIllegalStateException().isThrownBy(() -> in.setReadListener(idle));
                    assertThatIllegalStateException().isThrownBy(() -> out.setWriteListener(idle));
                    AsyncContext async = request.startAsync();
                    assertThatThrownBy(() -> in.setReadListener(null))
                            .isInstanceOf(NullPointerException.class);
                    assertThatThrownBy(() -> out.setWriteListener(null))
                            .isInstanceOf(NullPointerException.class);
                    in.setReadListener(idle);
                    assertThatIllegalStateException().isThrownBy(() -> in.setReadListener(idle));
                    assertThat(in.isReady()).isFalse();
                    assertThatIllegalStateException().isThrownBy(in::read);
                    out.setWriteListener(idle);
                    assertThatIllegalStateException().isThrownBy(() -> out.setWriteListener(idle));
                    assertThat(out.isReady()).isTrue();
                    out.print("refused");
                    async.complete();
                })) {
            try (RawClient client = server.client()) {
                client.send(post("Content-Length: 4"));
                assertThat(client.answer("POST").text()).isEqualTo("refused");
            }
        }
    }

    private static final class Idle implements ReadListener, WriteListener {
        @Override
        public void onDataAvailable() {}

        @Override
        public void onAllDataRead() {}

        @Override
        public void onWritePossible() {}

        @Override
        public void onError(Throwable thrown) {}
    }

    @Test
    void writeAndCompleteAtOnceIsDelivered() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    ServletOutputStream out = response.getOutputStream();
                    out.setWriteListener(
                            new WriteListener() {
                                @Override
                                public void onWritePossible() throws IOException {
                                    out.write(new byte[100_000]);
                                    async.complete();
                                }

                                @Override
                                public void onError(Throwable thrown) {
                                    trace.add("onError");
                                }
                            });
                })) {
            for (int i = 0; i < 50; i++) {
                assertThat(server.get("/s").body()).hasSize(100_000);
            }
            assertThat(trace.has("onError")).isFalse();
        }
    }

    /// Copies the content without waiting.
    private static final class Echo implements ReadListener, WriteListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final ServletOutputStream out;
        private final byte[] some = new byte[16 << 10];

        Echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
            async = request.startAsync();
            async.setTimeout(0);
            in = request.getInputStream();
            out = response.getOutputStream();
            in.setReadListener(this);
            out.setWriteListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            move();
        }

        @Override
        public void onWritePossible() throws IOException {
            move();
        }

        private void move() throws IOException {
            while (out.isReady() && in.isReady() && !in.isFinished()) {
                int n = in.read(some);
                if (n > 0) {
                    out.write(some, 0, n);
                }
            }
        }

        @Override
        public void onAllDataRead() {
            async.complete();
        }

        @Override
        public void onError(Throwable thrown) {}
    }

    /// Echoes 64 MiB, or as many bytes as the property `serval.echo.bytes` says.
    @Test
    void longEchoIsWholeForASlowReader() throws Exception {
        long length = Long.getLong("serval.echo.bytes", 64L << 20);
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = length);
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("").servlet("/s", new CodeServlet(Echo::new)), limits)) {
            try (Caller caller = Caller.http1(SocketWire.connect(server.address()))) {
                Call echo = caller.call(Call.Ask.post("/s", length)).expectPattern();
                echo.sendPattern(length).finish();
                for (int i = 1; i < 16; i++) {
                    long next = i * (length / 16);
                    caller.await("a part came", () -> echo.length() >= next || echo.isOver());
                    echo.pause();
                    assertThat(server.get("/none").status()).isEqualTo(404); // meanwhile
                    echo.resume();
                }
                caller.awaitEnd(echo);
                assertThat(echo.isWhole()).isTrue();
                assertThat(echo.length()).isEqualTo(length);
            }
        }
    }

    @Test
    void writerWaitsForASlowReader() throws Exception {
        int length = 32 << 20;
        AtomicInteger calls = new AtomicInteger();
        AtomicReference<Throwable> failed = new AtomicReference<>();
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    ServletOutputStream out = response.getOutputStream();
                    byte[] piece = new byte[32 << 10];
                    out.setWriteListener(
                            new WriteListener() {
                                private int left = length;

                                @Override
                                public void onWritePossible() throws IOException {
                                    calls.incrementAndGet();
                                    while (left > 0 && out.isReady()) {
                                        out.write(piece);
                                        left -= piece.length;
                                    }
                                    if (left == 0) {
                                        left = -1;
                                        async.complete();
                                    }
                                }

                                @Override
                                public void onError(Throwable thrown) {
                                    failed.set(thrown);
                                }
                            });
                })) {
            try (RawClient client = RawClient.connect(server.address(), 8 << 10)) {
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                Await.until("the server writes", () -> calls.get() > 0);
                assertThat(client.answer().body()).hasSize(length);
            }
            assertThat(calls.get()).isGreaterThan(1);
            assertThat(failed.get()).isNull();
        }
    }
}
