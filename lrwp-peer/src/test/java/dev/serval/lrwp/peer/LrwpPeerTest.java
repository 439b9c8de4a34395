package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.lrwp.peer.ScriptedAgent.Line;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class LrwpPeerTest {
    private static final Map<String, String> GET = Map.of("REQUEST_METHOD", "GET");

    /// Longer than any test takes, so that a close does not end what it should have ended at once.
    private static final Duration LONG = Duration.ofDays(1);

    private static final int REQUESTS = Integer.getInteger("lrwp.requests", 12_000);

    private final List<Long> pauses = new CopyOnWriteArrayList<>();
    private final AtomicInteger attemptsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private ScriptedAgent agent;

    @BeforeEach
    void listen() throws IOException {
        agent = new ScriptedAgent();
    }

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    /// Notes each pause and does not wait, up to a number of attempts; then it waits for the end.
    private void pause(long nanos, CountDownLatch until) throws InterruptedException {
        pauses.add(TimeUnit.NANOSECONDS.toMillis(nanos));
        if (attemptsLeft.decrementAndGet() <= 0) {
            until.await();
        }
    }

    private LrwpPeer.Builder builder() {
        Surroundings real = Surroundings.real();
        return LrwpPeer.builder(
                        new Surroundings(
                                real.connector(), real.nanoTime(), new Random(1), this::pause))
                .agent("127.0.0.1", agent.port())
                .register("app");
    }

    private LrwpPeer echo() {
        return builder()
                .handler(request -> LrwpResponse.of(200, "a/b", request.body().readAllBytes()))
                .start();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void registersAndServes() throws Exception {
        try (LrwpPeer peer =
                        builder()
                                .handler(request ->
                                        LrwpResponse.text(
                                                request.name()
                                                        + " "
                                                        + request.method()
                                                        + " "
                                                        + request.pathAfterName()
                                                        + " "
                                                        + request.query()
                                                        + " "
                                                        + request.header("X-One")))
                                .start();
                Line line = agent.accept()) {
            assertThat(line.startup(2)).isEqualTo(RequestDecoderTest.bytes("app\u00FF\u00FF"));
            assertThat(peer.connected()).isZero();
            line.send("OK");
            assertThat(peer.awaitConnected(Duration.ofSeconds(20))).isTrue();
            line.send(
                    ScriptedAgent.request(
                            Map.of(
                                    "REQUEST_METHOD", "GET",
                                    "PATH_INFO", "/p",
                                    "QUERY_STRING", "a=b%20c",
                                    "HTTP_X_ONE", "1"),
                            new byte[0]));
            assertThat(body(line.answerText())).isEqualTo("app GET /p a=b%20c 1");
            Await.until("the answer is counted", () -> peer.served() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1200, 8192, 70_000, 3_000_000})
    void echoesBodiesWithEveryByte(int size) throws Exception {
        byte[] body = new byte[size];
        new Random(size).nextBytes(body);
        try (LrwpPeer peer = echo();
                Line line = agent.acceptAndRegister()) {
            for (int i = 0; i < 3; i++) {
                line.send(ScriptedAgent.request(GET, body));
                byte[] answer = line.answer();
                int head = "Content-Type: a/b\r\n\r\n".length();
                assertThat(answer).hasSize(head + size);
                assertThat(Arrays.copyOfRange(answer, head, answer.length)).isEqualTo(body);
            }
            assertThat(peer.failed()).isZero();
        }
    }

    @Test
    void readsRequestByteByByte() throws Exception {
        try (LrwpPeer _ = echo();
                Line line = agent.acceptAndRegister()) {
            line.sendSlowly(ScriptedAgent.request(GET, RequestDecoderTest.bytes("a\0\u00FFz")));
            assertThat(body(line.answerText())).isEqualTo("a\0\u00FFz");
        }
    }

    @Test
    void servesRequestThatCameWithTheOk() throws Exception {
        try (LrwpPeer _ = echo();
                Line line = agent.accept()) {
            line.startup(2);
            byte[] request = ScriptedAgent.request(GET, RequestDecoderTest.bytes("x"));
            line.send("OK" + new String(request, StandardCharsets.ISO_8859_1));
            assertThat(body(line.answerText())).isEqualTo("x");
        }
    }

    @Test
    void acceptsOkOfVersion2AfterRegistrationOfVersion1() throws Exception {
        try (LrwpPeer _ = echo();
                Line line = agent.accept()) {
            line.startup(2);
            line.send("OK\u00FF");
            line.send(ScriptedAgent.request(GET, RequestDecoderTest.bytes("x")));
            assertThat(body(line.answerText())).isEqualTo("x");
        }
    }

    @Test
    void answersChallenge() throws Exception {
        try (LrwpPeer peer =
                        builder()
                                .passphrase("secret")
                                .handler(_ -> LrwpResponse.text("x"))
                                .start();
                Line line = agent.accept()) {
            assertThat(line.startup(4))
                    .isEqualTo(RequestDecoderTest.bytes("\u00FF2.0\u00FFapp\u00FF\u00FF"));
            byte[] challenge = new byte[32];
            new Random(7).nextBytes(challenge);
            line.send("CHALLENGE\u00FF000000032");
            line.sendSlowly(challenge);
            byte[] answer = line.read(41);
            for (int i = 0; i < 32; i++) {
                assertThat(answer[9 + i]).isEqualTo((byte) (challenge[i] ^ "secret".charAt(i % 6)));
            }
            line.send("OK\u00FF");
            assertThat(peer.awaitConnected(Duration.ofSeconds(20))).isTrue();
            line.send(ScriptedAgent.request(GET, new byte[0]));
            assertThat(body(line.answerText())).isEqualTo("x");
        }
    }

    @Test
    void reportsRejectionAndSlowsDown() throws Exception {
        attemptsLeft.set(4);
        try (LrwpPeer peer =
                builder().passphrase("wrong").handler(_ -> LrwpResponse.text("x")).start()) {
            for (int i = 0; i < 4; i++) {
                try (Line line = agent.accept()) {
                    line.startup(4);
                    line.send("CHALLENGE\u00FF000000032" + "c".repeat(32));
                    line.read(41);
                    line.send("REJECTED\u00FFIncorrect LRWP challenge response\u00FF");
                }
            }
            Await.until("four refusals", () -> peer.refused() == 4 && pauses.size() == 4);
            assertThat(peer.problem()).contains("refused app: Incorrect LRWP challenge response");
            assertThatThrownBy(() -> peer.awaitConnected(Duration.ofSeconds(20)))
                    .isInstanceOf(LrwpRefusedException.class)
                    .hasMessageContaining("Incorrect LRWP challenge response");
            assertThat(pauses.get(0)).isBetween(1_000L, 2_000L);
            assertThat(pauses.get(3)).isBetween(8_000L, 16_000L);
        }
    }

    @Test
    void reportsErrorOfVersion1() throws Exception {
        attemptsLeft.set(1);
        try (LrwpPeer peer = echo()) {
            try (Line line = agent.accept()) {
                line.startup(2);
                line.sendSlowly(RequestDecoderTest.bytes("ERROR: Application not permitted"));
            }
            assertThatThrownBy(() -> peer.awaitConnected(Duration.ofSeconds(20)))
                    .hasMessageContaining("ERROR: Application not permitted");
        }
    }

    @Test
    void saysThatPassphraseIsMissing() throws Exception {
        attemptsLeft.set(1);
        try (LrwpPeer peer =
                        builder()
                                .version(LrwpVersion.V2_0)
                                .handler(_ -> LrwpResponse.text("x"))
                                .start();
                Line line = agent.accept()) {
            line.startup(4);
            line.send("CHALLENGE\u00FF000000032" + "c".repeat(32));
            assertThatThrownBy(() -> peer.awaitConnected(Duration.ofSeconds(20)))
                    .hasMessageContaining("asks for a passphrase for app: set one");
        }
    }

    @Test
    void doesNotSpinIfTheAgentClosesAtOnce() throws Exception {
        attemptsLeft.set(6);
        try (LrwpPeer peer = echo()) {
            for (int i = 0; i < 6; i++) {
                agent.acceptAndRegister().close();
            }
            Await.until("six pauses", () -> pauses.size() == 6);
            assertThat(peer.connected()).isZero();
            for (int i = 0; i < 6; i++) {
                assertThat(pauses.get(i)).isBetween(50L << i, 100L << i);
            }
        }
    }

    @Test
    void reconnectsWithShortPauseAfterServing() throws Exception {
        attemptsLeft.set(5);
        try (LrwpPeer peer = echo()) {
            for (int i = 0; i < 5; i++) {
                Line line = agent.acceptAndRegister();
                line.send(ScriptedAgent.request(GET, new byte[0]));
                line.answer();
                line.reset();
            }
            Await.until("five pauses", () -> pauses.size() == 5);
            assertThat(pauses).allSatisfy(pause -> assertThat(pause).isBetween(50L, 100L));
            Await.until("all are counted", () -> peer.served() == 5);
        }
    }

    @Test
    void endsConnectionThatIsOutOfStep() throws Exception {
        try (LrwpPeer peer = echo()) {
            try (Line line = agent.acceptAndRegister()) {
                line.send("GET / HTTP/1.1\r\n\r\n");
                assertThat(line.isEnd()).isTrue();
            }
            Await.until(
                    "the problem is told",
                    () -> String.valueOf(peer.problem()).contains("nine digits"));
            try (Line line = agent.acceptAndRegister()) {
                line.send("016777217");
                assertThat(line.isEnd()).isTrue();
            }
            try (Line line = agent.acceptAndRegister()) {
                line.send(ScriptedAgent.request(GET, RequestDecoderTest.bytes("x")));
                assertThat(body(line.answerText())).isEqualTo("x");
            }
        }
    }

    @Test
    void agentThatClosesWithinRequestIsNoEndOfThePeer() throws Exception {
        try (LrwpPeer peer = echo()) {
            byte[] request = ScriptedAgent.request(GET, new byte[100]);
            for (int cut : new int[] {3, 12, 40, request.length - 1}) {
                try (Line line = agent.acceptAndRegister()) {
                    line.send(Arrays.copyOf(request, cut));
                }
            }
            try (Line line = agent.acceptAndRegister()) {
                line.send(request);
                assertThat(line.answer()).hasSize(121);
            }
            Await.until("the answer is counted", () -> peer.served() == 1);
        }
    }

    @Test
    void silentAgentWithinRequestEndsTheConnection() throws Exception {
        try (LrwpPeer _ =
                        builder()
                                .limits(
                                        PeerLimits.STANDARD.with(draft -> {
                                            draft.handshakeTimeoutMillis = 5_000;
                                            draft.readTimeoutMillis = 50;
                                        }))
                                .handler(_ -> LrwpResponse.text("x"))
                                .start();
                Line line = agent.acceptAndRegister()) {
            line.send("00000");
            assertThat(line.isEnd()).isTrue();
        }
    }

    @Test
    void failedHandlersAnswer500() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (LrwpPeer peer =
                        builder()
                                .handler(_ -> {
                                    if (count.getAndIncrement() == 0) {
                                        throw new IOException("on purpose");
                                    }
                                    throw new AssertionError("on purpose");
                                })
                                .start();
                Line line = agent.acceptAndRegister()) {
            for (int i = 0; i < 2; i++) {
                line.send(ScriptedAgent.request(GET, new byte[0]));
                assertThat(line.answerText())
                        .startsWith("Status: 500 Internal Server Error\r\n")
                        .doesNotContain("on purpose");
            }
            Await.until("both counted", () -> peer.failed() == 2 && peer.served() == 2);
        }
    }

    @Test
    void interruptedHandlersAnswer500OnTheSameConnection() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (LrwpPeer peer =
                        builder()
                                .handler(_ -> {
                                    switch (count.getAndIncrement()) {
                                        case 0 -> throw new InterruptedException("on purpose");
                                        case 1 -> {
                                            Thread.currentThread().interrupt();
                                            throw new IllegalStateException("on purpose");
                                        }
                                        case 2 -> Thread.currentThread().interrupt();
                                        default -> {}
                                    }
                                    return LrwpResponse.text("right");
                                })
                                .start();
                Line line = agent.acceptAndRegister()) {
            for (int i = 0; i < 2; i++) {
                line.send(ScriptedAgent.request(GET, new byte[0]));
                assertThat(line.answerText()).startsWith("Status: 500 Internal Server Error\r\n");
            }
            for (int i = 0; i < 2; i++) {
                line.send(ScriptedAgent.request(GET, new byte[0]));
                assertThat(body(line.answerText())).isEqualTo("right");
            }
            Await.until("all are counted", () -> peer.failed() == 2 && peer.served() == 4);
            assertThat(pauses).isEmpty();
        }
    }

    @Test
    void connectsAgainAfterAnErrorInAStreamedBody() throws Exception {
        AtomicInteger count = new AtomicInteger();
        LrwpResponse.BodyWriter writer =
                out -> {
                    switch (count.getAndIncrement()) {
                        case 0 -> throw new AssertionError("on purpose");
                        case 1 -> throw new IllegalStateException("on purpose");
                        case 2 -> {
                            Thread.currentThread().interrupt();
                            throw new IOException("on purpose");
                        }
                        default -> out.write('x');
                    }
                };
        try (LrwpPeer peer =
                builder().handler(_ -> LrwpResponse.stream("a/b", 1, writer)).start()) {
            for (int i = 0; i < 3; i++) {
                try (Line line = agent.acceptAndRegister()) {
                    line.send(ScriptedAgent.request(GET, new byte[0]));
                    assertThat(line.isEnd()).isTrue();
                }
            }
            try (Line line = agent.acceptAndRegister()) {
                line.send(ScriptedAgent.request(GET, new byte[0]));
                assertThat(body(line.answerText())).isEqualTo("x");
            }
            Await.until("the answer is counted", () -> peer.served() == 1);
        }
    }

    @Test
    void bodyPastMemoryLimitIsAStream() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (LrwpPeer _ =
                        builder()
                                .limits(
                                        PeerLimits.STANDARD.with(
                                                draft -> draft.bodyMemoryMaxBytes = 10))
                                .handler(request -> {
                                    seen.add(request.isInMemory() + " " + request.bodyBytes());
                                    return LrwpResponse.text(request.text());
                                })
                                .start();
                Line line = agent.acceptAndRegister()) {
            line.send(ScriptedAgent.request(GET, new byte[10]));
            assertThat(line.answerText()).endsWith("\0".repeat(10));
            line.send(ScriptedAgent.request(GET, new byte[100_000]));
            assertThat(line.answerText()).startsWith("Status: 413");
            line.send(ScriptedAgent.request(GET, RequestDecoderTest.bytes("next")));
            assertThat(body(line.answerText())).isEqualTo("next");
            assertThat(seen).containsExactly("true 10", "false 100000", "true 4");
        }
    }

    @Test
    void leavesIdleConnectionAtOnce() throws Exception {
        LrwpPeer peer = echo();
        try (Line line = agent.acceptAndRegister()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(20))).isTrue();
            peer.close(LONG);
            assertThat(line.isEnd()).isTrue();
            peer.join();
            assertThat(peer.connected()).isZero();
        }
    }

    @Test
    void finishesRequestInProgressBeforeItLeaves() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        LrwpPeer peer =
                builder()
                        .handler(_ -> {
                            entered.countDown();
                            proceed.await();
                            return LrwpResponse.text("done");
                        })
                        .start();
        try (Line line = agent.acceptAndRegister()) {
            line.send(ScriptedAgent.request(GET, new byte[0]));
            Await.open("the handler runs", entered);
            Thread closing = Thread.ofVirtual().start(() -> peer.close(LONG));
            Await.until("the peer leaves", peer::isLeaving);
            proceed.countDown();
            assertThat(body(line.answerText())).isEqualTo("done");
            assertThat(line.isEnd()).isTrue();
            closing.join();
        }
    }

    @Test
    void leavesWithoutAnswerAfterThePatience() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        LrwpPeer peer =
                builder()
                        .handler(_ -> {
                            entered.countDown();
                            new CountDownLatch(1).await();
                            return LrwpResponse.text("never");
                        })
                        .start();
        try (Line line = agent.acceptAndRegister()) {
            line.send(ScriptedAgent.request(GET, new byte[0]));
            Await.open("the handler runs", entered);
            peer.close(Duration.ofMillis(1));
            assertThat(line.isEnd()).isTrue();
            peer.join();
        }
    }

    @Test
    void registersSeveralNamesWithSeveralConnections() throws Exception {
        try (LrwpPeer peer =
                builder()
                        .register("other", request -> LrwpResponse.text("own " + request.name()))
                        .handler(request -> LrwpResponse.text("for all " + request.name()))
                        .host("www")
                        .connections(3)
                        .start()) {
            List<String> names = new ArrayList<>();
            List<Line> lines = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Line line = agent.accept();
                lines.add(line);
                String startup = new String(line.startup(2), StandardCharsets.ISO_8859_1);
                names.add(startup);
                line.send("OK");
                line.send(ScriptedAgent.request(GET, new byte[0]));
                assertThat(body(line.answerText()))
                        .isEqualTo(startup.startsWith("app") ? "for all app" : "own other");
            }
            Await.until("all are connected", () -> peer.connected() == 6);
            assertThat(names).filteredOn("app\u00FFwww\u00FF"::equals).hasSize(3);
            assertThat(names).filteredOn("other\u00FFwww\u00FF"::equals).hasSize(3);
            for (Line line : lines) {
                line.close();
            }
        }
    }

    @Test
    void servesManyRequestsWithoutLoss() throws Exception {
        attemptsLeft.set(1);
        int lines = 4;
        byte[] body = new byte[1200];
        new Random(3).nextBytes(body);
        byte[] request = ScriptedAgent.request(GET, body);
        AtomicInteger right = new AtomicInteger();
        try (LrwpPeer peer =
                builder()
                        .connections(lines)
                        .handler(r -> LrwpResponse.of(200, "a/b", r.bytes()))
                        .start()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < lines; i++) {
                Line line = agent.acceptAndRegister();
                threads.add(
                        Thread.ofVirtual()
                                .start(() -> ask(line, request, REQUESTS / lines, right)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(right).hasValue(REQUESTS / lines * lines);
            Await.until("all counted", () -> peer.served() == right.get());
            // Each line ends once, when it has asked all.
            assertThat(pauses).hasSizeLessThanOrEqualTo(lines);
        }
    }

    private static void ask(Line line, byte[] request, int times, AtomicInteger right) {
        try (line) {
            for (int i = 0; i < times; i++) {
                line.send(request);
                byte[] answer = line.answer();
                if (Arrays.equals(
                        answer,
                        answer.length - 1200,
                        answer.length,
                        request,
                        request.length - 1200,
                        request.length)) {
                    right.incrementAndGet();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void settingsAreChecked() {
        LrwpPeer.Builder builder = LrwpPeer.builder();
        assertThatThrownBy(builder::start).hasMessageContaining("no name is registered");
        builder.register("app");
        assertThatThrownBy(builder::start).hasMessage("\"app\" has no handler: call handler");
        builder.handler(_ -> LrwpResponse.text("x"));
        assertThatThrownBy(() -> builder.connections(0).start())
                .hasMessage("0 connections: there must be from 1 to 10000");
        builder.connections(1);
        assertThatThrownBy(() -> builder.agent("127.0.0.1", 0).start())
                .hasMessageContaining("port is 0");
        assertThatThrownBy(() -> builder.agent(" ", 1081).start())
                .hasMessageContaining("no address");
        builder.agent("127.0.0.1", 1081).passphrase("");
        assertThatThrownBy(builder::start).hasMessageContaining("passphrase is empty");
        builder.passphrase("x").version(LrwpVersion.V1_0);
        assertThatThrownBy(builder::start).hasMessageContaining("LRWP 1.0 has no passphrase");
    }
}
