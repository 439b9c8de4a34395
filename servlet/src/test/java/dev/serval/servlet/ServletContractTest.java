package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.SlowCode;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine's contract between connections and handlers, through servlets: content, its end and
/// its loss, in all ways in which a servlet can read and write.
@EveryMode
@Timeout(120)
final class ServletContractTest {
    private static final long PAUSE_NANOS = 300_000_000;
    private static final byte[] PIECE = new byte[16 << 10];

    private final Trace trace = new Trace();

    private ServletServer serve(CodeServlet.Code code) throws IOException {
        return serve(code, ServletServer.PATIENT);
    }

    private ServletServer serve(CodeServlet.Code code, Limits limits) throws IOException {
        return ServletServer.start(
                WebApp.at("").servlet("/s/*", new CodeServlet(code)).listener(trace), limits);
    }

    private CodeServlet.Code reading(Way way) {
        return (request, response) -> {
            trace.add("reads");
            way.read(request, response, trace);
        };
    }

    private static String post(String path, String fields) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n";
    }

    /// How a servlet reads all content and then answers with `answer`, or writes without end.
    enum Way {
        BLOCKING {
            @Override
            void read(HttpServletRequest request, HttpServletResponse response, Trace trace)
                    throws IOException {
                try {
                    trace.add("read " + request.getInputStream().readAllBytes().length);
                    response.getWriter().print("answer");
                } catch (IOException | IllegalStateException e) { // the request may have ended
                    trace.add("failed");
                    throw e;
                }
            }

            @Override
            void write(HttpServletRequest request, HttpServletResponse response, Trace trace)
                    throws IOException {
                trace.add("writes");
                try {
                    while (true) {
                        response.getOutputStream().write(PIECE);
                    }
                } catch (IOException | IllegalStateException e) { // the request may have ended
                    trace.add("failed");
                    throw e;
                }
            }
        },
        BLOCKING_ASYNC {
            @Override
            void read(HttpServletRequest request, HttpServletResponse response, Trace trace) {
                start(request, _ -> BLOCKING.read(request, response, trace));
            }

            @Override
            void write(HttpServletRequest request, HttpServletResponse response, Trace trace) {
                start(request, _ -> BLOCKING.write(request, response, trace));
            }
        },
        LISTENING {
            @Override
            void read(HttpServletRequest request, HttpServletResponse response, Trace trace)
                    throws IOException {
                request.startAsync().setTimeout(0);
                Reader reader = new Reader(request, response, trace);
                request.getInputStream().setReadListener(reader);
            }

            @Override
            void write(HttpServletRequest request, HttpServletResponse response, Trace trace)
                    throws IOException {
                request.startAsync().setTimeout(0);
                trace.add("writes");
                ServletOutputStream out = response.getOutputStream();
                out.setWriteListener(
                        new WriteListener() {
                            @Override
                            public void onWritePossible() throws IOException {
                                while (out.isReady()) {
                                    out.write(PIECE);
                                }
                            }

                            @Override
                            public void onError(Throwable thrown) {
                                trace.add("failed");
                            }
                        });
            }
        };

        abstract void read(HttpServletRequest request, HttpServletResponse response, Trace trace)
                throws IOException;

        abstract void write(HttpServletRequest request, HttpServletResponse response, Trace trace)
                throws IOException;

        /// Code of a thread of the application.
        private interface Work {
            void run(AsyncContext async) throws IOException;
        }

        private static void start(HttpServletRequest request, Work work) {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            async.start(() -> {
                try {
                    work.run(async);
                    async.complete();
                } catch (IOException | IllegalStateException e) {
                    complete(async);
                }
            });
        }

        private static void complete(AsyncContext async) {
            try {
                async.complete();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("has ended");
            }
        }
    }

    /// Counts the content and then answers.
    private static final class Reader implements ReadListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final HttpServletResponse response;
        private final Trace trace;
        private int length;

        Reader(HttpServletRequest request, HttpServletResponse response, Trace trace)
                throws IOException {
            this.async = request.getAsyncContext();
            this.in = request.getInputStream();
            this.response = response;
            this.trace = trace;
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] some = new byte[5000];
            while (in.isReady() && !in.isFinished()) {
                length += Math.max(0, in.read(some));
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            trace.add("read " + length);
            response.getOutputStream().print("answer");
            async.complete();
        }

        @Override
        public void onError(Throwable thrown) {
            trace.add("failed");
        }
    }

    // Aborts

    @ParameterizedTest
    @EnumSource(Way.class)
    void abortWhileWritingFailsTheWriterOnce(Way way) throws Exception {
        try (ServletServer server =
                serve((request, response) -> way.write(request, response, trace))) {
            RawClient client = RawClient.connect(server.address(), 8 << 10);
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n").until("\r\n\r\n");
            client.reset();
            Await.until(
                    "the request has ended", () -> trace.has("destroyed") && trace.has("failed"));
            assertThat(trace.heard()).containsExactlyInAnyOrder("writes", "failed", "destroyed");
            assertThat(server.server().metrics().sum(Counter.HANDLER_FAULTS)).isZero();
            assertThat(server.get("/none").status()).isEqualTo(404);
        }
    }

    /// The asynchronous processing starts when the loop has reported the abort already.
    @Test
    void abortBeforeStartAsyncEndsTheRequest() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    assertThatExceptionOfType(IOException.class)
                            .isThrownBy(() -> Way.BLOCKING.write(request, response, trace));
                    // The loop wakes the writer, then calls back. Without the pause the
                    // test would still pass, and see less.
                    SlowCode.takes(PAUSE_NANOS);
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    async.addListener(new Ends());
                })) {
            RawClient client = RawClient.connect(server.address(), 8 << 10);
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n").until("\r\n\r\n");
            client.reset();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard())
                    .containsExactly("writes", "failed", "error", "complete", "destroyed");
        }
    }

    /// Records what the application learns of the end.
    private final class Ends implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            trace.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            trace.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            trace.add("error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            trace.add("start");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void abortWhileReadingFailsTheReaderOnce(Way way) throws Exception {
        try (ServletServer server = serve(reading(way))) {
            for (String framing : List.of("Content-Length: 9", "Transfer-Encoding: chunked")) {
                trace.clear();
                RawClient client = server.client();
                client.send(post("/s", framing) + (framing.startsWith("T") ? "3\r\nabc" : "abc"));
                Await.until("the servlet reads", () -> trace.has("reads"));
                client.reset();
                Await.until(
                        "the request has ended",
                        () -> trace.has("destroyed") && trace.has("failed"));
                assertThat(trace.heard()).containsExactlyInAnyOrder("reads", "failed", "destroyed");
            }
            assertThat(server.server().metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    /// The client ends its direction in the middle of the content, which is no answer to wait for.
    @ParameterizedTest
    @EnumSource(Way.class)
    void contentThatEndsEarlyFailsTheReader(Way way) throws Exception {
        try (ServletServer server = serve(reading(way));
                RawClient client = server.client()) {
            client.send(post("/s", "Content-Length: 9") + "abc").finish();
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("answer");
            Await.until(
                    "the request has ended", () -> trace.has("destroyed") && trace.has("failed"));
            assertThat(trace.heard()).containsExactlyInAnyOrder("reads", "failed", "destroyed");
        }
    }

    // Framing

    @ParameterizedTest
    @EnumSource(Way.class)
    void malformedChunkInTheMiddleGives400AndEndsTheConnection(Way way) throws Exception {
        try (ServletServer server = serve(reading(way));
                RawClient client = server.client()) {
            client.send(post("/s", "Transfer-Encoding: chunked") + "3\r\nabc\r\n");
            Await.until("the servlet reads", () -> trace.has("reads"));
            client.send("no length\r\nGET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer("POST").status()).isEqualTo(400);
            client.expectClosed();
            Await.until(
                    "the request has ended", () -> trace.has("destroyed") && trace.has("failed"));
            assertThat(trace.heard()).containsExactlyInAnyOrder("reads", "failed", "destroyed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, 100, 200",
        "BLOCKING, 101, 413",
        "BLOCKING_ASYNC, 100, 200",
        "BLOCKING_ASYNC, 101, 413",
        "LISTENING, 100, 200",
        "LISTENING, 101, 413",
    })
    void chunksBeyondTheLimitOfContentFailTheReader(Way way, int length, int status)
            throws Exception {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = 100);
        try (ServletServer server = serve(reading(way), limits);
                RawClient client = server.client()) {
            client.send(post("/s", "Transfer-Encoding: chunked"));
            Await.until("the servlet reads", () -> trace.has("reads"));
            client.send(
                    Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n0\r\n\r\n");
            assertThat(client.answer("POST").status()).isEqualTo(status);
            String first = status == 200 ? "read " + length : "failed";
            Await.until("the request has ended", () -> trace.has("destroyed") && trace.has(first));
            assertThat(trace.heard()).containsExactlyInAnyOrder("reads", first, "destroyed");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void contentInSinglePiecesIsRead(Way way) throws Exception {
        try (ServletServer server = serve(reading(way));
                RawClient client = server.client()) {
            client.send(post("/s", "Transfer-Encoding: chunked"));
            for (int i = 0; i < 200; i++) {
                client.send("1\r\n").send("x").send("\r\n");
            }
            client.send("0\r\n\r\n");
            assertThat(client.answer("POST").text()).isEqualTo("answer");
            assertThat(trace.heard()).containsExactly("reads", "read 200", "destroyed");
        }
    }

    // Connections that continue

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        int rounds = 40;
        try (ServletServer server =
                        serve((request, response) -> {
                            int n = Integer.parseInt(request.getParameter("n"));
                            switch (n % 4) {
                                case 0 -> response.getWriter().print("sync " + n);
                                case 1 -> {
                                    AsyncContext async = request.startAsync();
                                    async.start(() -> {
                                        print(async, "async " + n);
                                        async.complete();
                                    });
                                }
                                case 2 -> {
                                    byte[] all = request.getInputStream().readAllBytes();
                                    response.getWriter().print("read " + all.length + " " + n);
                                }
                                default -> response.sendError(409);
                            }
                        });
                RawClient client = server.client()) {
            StringBuilder all = new StringBuilder();
            for (int n = 0; n < rounds; n++) {
                all.append(post("/s?n=" + n, "Content-Length: " + n)).append("x".repeat(n));
            }
            client.send(all.toString());
            for (int n = 0; n < rounds; n++) {
                RawResponse answer = client.answer("POST");
                switch (n % 4) {
                    case 0 -> assertThat(answer.text()).isEqualTo("sync " + n);
                    case 1 -> assertThat(answer.text()).isEqualTo("async " + n);
                    case 2 -> assertThat(answer.text()).isEqualTo("read " + n + " " + n);
                    default -> assertThat(answer.status()).isEqualTo(409);
                }
            }
        }
    }

    private static void print(AsyncContext async, String text) {
        try {
            async.getResponse().getWriter().print(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 3000", "Transfer-Encoding: chunked"})
    void connectionContinuesAfterUnreadContent(String framing) throws Exception {
        String content = "x".repeat(3000);
        String sent =
                framing.startsWith("C") ? content : "bb8\r\n" + content + "\r\n0\r\nX-T: 1\r\n\r\n";
        try (ServletServer server =
                        serve((request, response) -> {
                            if (request.getPathInfo() != null) {
                                int _ = request.getInputStream().read(new byte[10]);
                            }
                            response.getWriter().print("unread");
                        });
                RawClient client = server.client()) {
            for (int i = 0; i < 10; i++) {
                String path = i % 2 == 0 ? "/s" : "/s/some";
                RawResponse answer = client.exchange(post(path, framing) + sent);
                assertThat(answer.text()).isEqualTo("unread");
                assertThat(answer.announcesClose()).isFalse();
            }
        }
    }

    /// The servlet answers while the client still sends (RFC 9110 §9.3.3).
    @Test
    void earlyAnswerArrivesBeforeTheContent() throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            response.getWriter().print("early ");
                            response.flushBuffer();
                            int length = request.getInputStream().readAllBytes().length;
                            response.getWriter().print(length);
                        });
                RawClient client = server.client()) {
            client.send(post("/s", "Content-Length: 100000")).until("early ");
            client.send("x".repeat(100_000)).until("100000\r\n0\r\n\r\n");
            assertThat(client.exchange("GET /none HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(404);
        }
    }

    @Test
    void answerToContentThatNeverComesIsWhole() throws Exception {
        try (ServletServer server = serve((_, response) -> response.getWriter().print("whole"));
                RawClient client = server.client()) {
            client.send(post("/s", "Content-Length: 9000000") + "x".repeat(500_000));
            assertThat(client.answer("POST").text()).isEqualTo("whole");
        }
    }

    // 100 Continue (RFC 9110 §10.1.1)

    @ParameterizedTest
    @CsvSource({
        "read, 100 200, true",
        "unread, 200, false",
        "error, 403, false",
        "throw, 500, false",
        "async, 100 200, true",
        "listen, 100 200, true",
        "parameter, 100 200, true",
    })
    void continueIsSentOnlyIfTheServletReads(String how, String statuses, boolean reads)
            throws Exception {
        try (ServletServer server = serve((request, response) -> answer(how, request, response));
                RawClient client = server.client()) {
            client.send(
                    post(
                            "/s",
                            "Expect: 100-continue\r\nContent-Length: 3\r\n"
                                    + "Content-Type: application/x-www-form-urlencoded"));
            for (String status : statuses.split(" ", -1)) {
                assertThat(client.next("POST").status()).isEqualTo(Integer.parseInt(status));
                if (status.equals("100")) {
                    client.send("a=b");
                }
            }
            if (!reads) {
                client.send("a=b"); // may come, or not
            }
            assertThat(trace.has("read 3")).isEqualTo(reads && !how.equals("parameter"));
        }
    }

    private void answer(String how, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        switch (how) {
            case "read" -> Way.BLOCKING.read(request, response, trace);
            case "async" -> Way.BLOCKING_ASYNC.read(request, response, trace);
            case "listen" -> Way.LISTENING.read(request, response, trace);
            case "parameter" -> assertThat(request.getParameter("a")).isEqualTo("b");
            case "error" -> response.sendError(HttpServletResponse.SC_FORBIDDEN);
            case "throw" -> throw new ServletException("wanted");
            default -> response.getWriter().print("answer");
        }
    }

    // Trailers (Servlet 6.1 §3.2, §5.5)

    @ParameterizedTest
    @EnumSource(Way.class)
    void trailersGoBothWaysInEachWayOfReading(Way way) throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            response.setTrailerFields(
                                    () -> Map.of("X-Out", String.valueOf(trailers(request))));
                            assertThat(request.isTrailerFieldsReady()).isFalse();
                            response.flushBuffer(); // so that the length is unknown
                            way.read(request, response, trace);
                        });
                RawClient client = server.client()) {
            client.send(post("/s", "TE: trailers\r\nTransfer-Encoding: chunked"));
            client.until("\r\n\r\n");
            client.send("3\r\nabc\r\n0\r\nX-In: 1\r\n\r\n");
            assertThat(client.until("\r\n\r\n")).endsWith("0\r\nX-Out: {x-in=1}\r\n\r\n");
        }
    }

    private static Map<String, String> trailers(HttpServletRequest request) {
        return request.isTrailerFieldsReady() ? request.getTrailerFields() : Map.of("none", "");
    }

    // HEAD (RFC 9110 §9.3.2)

    @ParameterizedTest
    @ValueSource(strings = {"sync", "async", "listening"})
    void headIsAnsweredWithoutContentInEachWayOfWriting(String how) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (ServletServer server =
                        serve((request, response) -> {
                            switch (how) {
                                case "sync" -> response.getOutputStream().write(new byte[20_000]);
                                case "async" -> {
                                    AsyncContext async = request.startAsync();
                                    async.start(() -> {
                                        print(async, "x".repeat(20_000));
                                        async.complete();
                                    });
                                }
                                default -> listen(request, response);
                            }
                            gone.countDown();
                        });
                RawClient client = server.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("HEAD /s HTTP/1.1\r\nHost: a\r\n\r\n");
                RawResponse head = client.answer("HEAD");
                assertThat(head.status()).isEqualTo(200);
                assertThat(head.body()).isEmpty();
            }
            assertThat(client.exchange("GET /s HTTP/1.1\r\nHost: a\r\n\r\n").body())
                    .hasSize(20_000);
        }
    }

    private static void listen(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        AsyncContext async = request.startAsync();
        ServletOutputStream out = response.getOutputStream();
        out.setWriteListener(
                new WriteListener() {
                    private int left = 20_000;

                    @Override
                    public void onWritePossible() throws IOException {
                        while (left > 0 && out.isReady()) {
                            out.write(new byte[2000]);
                            left -= 2000;
                        }
                        if (left == 0) {
                            left = -1;
                            async.complete();
                        }
                    }

                    @Override
                    public void onError(Throwable thrown) {}
                });
    }
}
