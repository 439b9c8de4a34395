package dev.serval.conn;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Checks responses that are compressed while they are written, in every mode.
@Timeout(120)
final class CompressionContractTest {
    private static final Compression ALL =
            Compression.DEFAULT.with(draft -> draft.scope = Compression.Scope.ALL);
    private static final byte[] TEXT = "to be or not to be; ".repeat(500).getBytes(ISO_8859_1);
    private static final byte[] LONG =
            "let us compress this; ".repeat(200_000).getBytes(ISO_8859_1);
    private static final byte[] RANDOM = new byte[1 << 20];
    private static final int GZIP_HEADER = 10;

    static {
        new Random(1).nextBytes(RANDOM);
    }

    @TempDir private Path folder;

    /// The exchanges that wait for the test.
    private final ConcurrentLinkedQueue<Exchange> held = new ConcurrentLinkedQueue<>();

    private static ContractServer server(
            ContractMode mode, BiConsumer<ContractServer, Exchange> answers) {
        return server(mode, ContractServer.LIMITS, answers);
    }

    private static ContractServer server(
            ContractMode mode, Limits limits, BiConsumer<ContractServer, Exchange> answers) {
        return server(mode, limits, ALL, answers);
    }

    private static ContractServer server(
            ContractMode mode,
            Limits limits,
            Compression compression,
            BiConsumer<ContractServer, Exchange> answers) {
        MountSettings settings = MountSettings.NONE.with(draft -> draft.compression = compression);
        return ContractServer.start(
                mode,
                limits,
                server -> {
                    Handler last = x -> answers.accept(server, x);
                    Route route = new Route("/", List.of(last), new Mapping("/"), settings);
                    return x -> EngineExchange.of(x).enter(route);
                });
    }

    private static ResponseHead head(long length, String... fields) {
        Fields all = new Fields().add(FieldName.CONTENT_TYPE, "text/plain");
        for (String field : fields) {
            String[] parts = field.split(": ", 2);
            all.set(parts[0], parts[1]);
        }
        return new ResponseHead(Status.OK, all, length);
    }

    private static void send(
            ContractServer server, Exchange x, ResponseHead head, byte[]... pieces) {
        x.response().head(head);
        for (byte[] piece : pieces) {
            x.response().write(server.lend(ByteBuffer.wrap(piece)));
        }
        x.response().end(Fields.EMPTY);
    }

    private static Call.Ask gzip(String target) {
        return Call.Ask.get(target).with("Accept-Encoding: gzip, deflate, br");
    }

    private static Call whole(Caller caller, Call.Ask ask) {
        Call call = caller.awaitEnd(caller.call(ask));
        assertThat(call.isWhole()).as(call.toString()).isTrue();
        return call;
    }

    /// Returns what a client can read of the bytes so far.
    private static byte[] inflated(Call call) {
        byte[] bytes = call.text().getBytes(ISO_8859_1);
        byte[] content = new byte[8 << 20];
        if (bytes.length < GZIP_HEADER) {
            return new byte[0];
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, GZIP_HEADER, bytes.length - GZIP_HEADER);
            return Arrays.copyOf(content, inflater.inflate(content));
        } catch (DataFormatException e) {
            throw new AssertionError(call.toString(), e);
        } finally {
            inflater.end();
        }
    }

    private void onLoop(Exchange x, Runnable work) {
        EngineExchange engine = EngineExchange.of(x);
        engine.loop().execute(() -> engine.proceed(work));
    }

    @ContractTest
    void compressesContentOfKnownLength(ContractMode mode) {
        String[] fields = {"ETag: \"x\"", "Accept-Ranges: bytes", "Vary: Origin"};
        try (ContractServer server =
                server(mode, (it, x) -> send(it, x, head(TEXT.length, fields), TEXT))) {
            Caller caller = server.connect();
            Call call = whole(caller, gzip("/"));
            assertThat(call.field("Content-Encoding")).isEqualTo("gzip");
            assertThat(call.field("ETag")).isEqualTo("W/\"x\"");
            assertThat(call.field("Accept-Ranges")).isNull();
            assertThat(call.field("Content-Length")).isNull();
            assertThat(inflated(call)).isEqualTo(TEXT);
            assertThat(call.length()).isLessThan(TEXT.length / 20);

            Call plain = whole(caller, Call.Ask.get("/"));
            assertThat(plain.field("Content-Encoding")).isNull();
            assertThat(plain.field("ETag")).isEqualTo("\"x\"");
            assertThat(plain.field("Accept-Ranges")).isEqualTo("bytes");
            assertThat(plain.text()).isEqualTo(new String(TEXT, ISO_8859_1));
            assertThat(inflated(whole(caller, gzip("/")))).isEqualTo(TEXT);
            assertThat(server.count(Counter.RESPONSES_COMPRESSED)).isEqualTo(2);
        }
    }

    @ContractTest
    void compressesContentOfUnknownLengthFromASizeOn(ContractMode mode) {
        byte[] half = Arrays.copyOf(TEXT, 512);
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            boolean two = x.request().target().text().equals("/two");
                            send(it, x, head(-1), half, two ? half : new byte[511]);
                        })) {
            Caller caller = server.connect();
            Call two = whole(caller, gzip("/two"));
            assertThat(two.field("Content-Encoding")).isEqualTo("gzip");
            assertThat(inflated(two)).hasSize(1024).startsWith(half);

            Call less = whole(caller, gzip("/less"));
            assertThat(less.field("Content-Encoding")).isNull();
            assertThat(less.field("Vary")).isEqualTo("Accept-Encoding");
            assertThat(less.length()).isEqualTo(1023);
            if (!mode.hasStreams()) {
                assertThat(less.field("Content-Length")).isEqualTo("1023");
            }
        }
    }

    @ContractTest
    void eventsArriveAtOnce(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.response().head(head(-1, "Content-Type: text/event-stream"));
                            x.response().write(Body.Bytes.of("data: 1\n\n".getBytes(ISO_8859_1)));
                            held.add(x);
                        })) {
            Caller caller = server.connect();
            Call call = caller.call(gzip("/"));
            String all = "data: 1\n\n";
            for (int i = 2; i < 5; i++) {
                String expected = all;
                caller.await(
                        expected, () -> new String(inflated(call), ISO_8859_1).equals(expected));
                String event = "data: " + i + "\n\n";
                Exchange x = Objects.requireNonNull(held.peek());
                onLoop(x, () -> x.response().write(Body.Bytes.of(event.getBytes(ISO_8859_1))));
                all += event;
            }
            Exchange x = held.remove();
            onLoop(x, () -> x.response().end(Fields.EMPTY));
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(new String(inflated(call), ISO_8859_1)).isEqualTo(all);
        }
    }

    /// A browser opens its event source, and a program knows the status, before there is content.
    @ContractTest
    void theHeadDoesNotWaitForContent(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.response().head(head(-1, "Content-Type: text/event-stream"));
                            held.add(x);
                        })) {
            Caller caller = server.connect();
            Call call = caller.call(gzip("/"));
            caller.await("the head has arrived", () -> call.status() == 200);
            assertThat(call.field("Content-Encoding")).isEqualTo("gzip");
            assertThat(call.isOver()).isFalse();
            Exchange x = held.remove();
            onLoop(
                    x,
                    () -> {
                        x.response().write(Body.Bytes.of("data: 1\n\n".getBytes(ISO_8859_1)));
                        x.response().end(Fields.EMPTY);
                    });
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(new String(inflated(call), ISO_8859_1)).isEqualTo("data: 1\n\n");
        }
    }

    @ContractTest
    void longPiecesAreCompressedInSteps(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            if (x.request().target().text().equals("/long")) {
                                x.onAbort(() -> it.note("aborted"));
                                send(
                                        it,
                                        x,
                                        head(LONG.length + 6L),
                                        LONG,
                                        "small\n".getBytes(ISO_8859_1));
                                it.note("written");
                            } else {
                                ContractHandlers.say(x, "short");
                                it.note("short");
                            }
                        })) {
            Caller caller = server.connect();
            Call call = caller.call(gzip("/long"));
            Caller other = server.beside(caller);
            assertThat(whole(other, Call.Ask.get("/short")).text()).isEqualTo("short");
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            byte[] content = inflated(call);
            assertThat(content).hasSize(LONG.length + 6).endsWith('l', 'l', '\n');
            assertThat(Arrays.mismatch(content, LONG))
                    .as("the first other byte")
                    .isEqualTo(LONG.length);
            assertThat(server.notes()).doesNotContain("aborted");
            assertThat(whole(caller, gzip("/short")).text()).isEqualTo("short");
        }
    }

    @ContractTest
    void aSlowReaderHoldsUpItsWriter(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.response().head(head(-1));
                            more(it, x, 8);
                        })) {
            Caller caller = server.connect();
            Call call = caller.call(gzip("/")).pause();
            caller.await("the writer waits", () -> server.noted("waits") > 0);
            call.resume();
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(call.length()).isGreaterThan(8L * RANDOM.length);
            assertThat(server.lentMost()).isLessThan(3L * RANDOM.length);
        }
    }

    private static void more(ContractServer server, Exchange x, int left) {
        if (left == 0) {
            x.response().end(Fields.EMPTY);
        } else if (x.response().write(server.lend(ByteBuffer.wrap(RANDOM))) > 0) {
            more(server, x, left - 1);
        } else {
            x.response().onWritable(() -> more(server, x, left - 1));
            server.note("waits");
        }
    }

    @ContractTest
    void aClientThatLeavesReleasesEverything(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.onAbort(() -> it.note("aborted"));
                            send(it, x, head(-1), RANDOM, RANDOM, RANDOM, RANDOM);
                            it.note("written");
                        })) {
            Caller caller = server.connect();
            Call call = caller.call(gzip("/")).pause();
            caller.await("it was written", () -> server.noted("written") > 0);
            call.reset();
            Caller other = server.connect();
            Call last = other.call(gzip("/"));
            other.awaitEnd(last);
            assertThat(last.isWhole()).isTrue();
            assertThat(server.notes()).as("the handler had ended").doesNotContain("aborted");
        }
    }

    /// Returns whether what was written comes before a visible end. The toy protocol resets a stream at once.
    private static boolean dropsNothing(ContractMode mode) {
        return mode.speech() != ContractMode.Speech.TOY;
    }

    @ContractTest
    void wrongLengthsAreNoticed(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            int length =
                                    x.request().target().text().equals("/fewer") ? 20_000 : 5_000;
                            send(it, x, head(length), TEXT);
                        })) {
            Caller caller = server.connect();
            Call fewer = caller.awaitEnd(caller.call(gzip("/fewer")));
            assertThat(fewer.isBroken()).isTrue();
            if (dropsNothing(mode)) {
                assertThat(inflated(fewer)).isEqualTo(TEXT);
            }
            Caller next = server.connect();
            Call more = next.awaitEnd(next.call(gzip("/more")));
            if (dropsNothing(mode)) {
                assertThat(inflated(more)).isEqualTo(Arrays.copyOf(TEXT, 5_000));
            }
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(2);
        }
    }

    @ContractTest
    void abortsAreSeen(ContractMode mode) {
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.response().head(head(-1));
                            x.response().write(it.lend(ByteBuffer.wrap(TEXT)));
                            if (x.request().target().text().equals("/cut")) {
                                x.response().cut(Fault.APPLICATION);
                            } else {
                                x.response().abort(Fault.APPLICATION);
                            }
                        })) {
            Caller caller = server.connect();
            Call cut = caller.awaitEnd(caller.call(gzip("/cut")));
            assertThat(cut.isBroken()).isTrue();
            if (dropsNothing(mode)) {
                assertThat(inflated(cut)).isEqualTo(TEXT);
            }
            Caller next = server.connect();
            assertThat(next.awaitEnd(next.call(gzip("/abort"))).isBroken()).isTrue();
        }
    }

    @ContractTest
    void fewResponsesAreCompressedAtATime(ContractMode mode) {
        Limits limits = ContractServer.LIMITS.with(draft -> draft.buffers.compressorsMax = 2);
        try (ContractServer server =
                server(
                        mode,
                        limits,
                        (it, x) -> {
                            x.response().head(head(-1));
                            x.response().write(Body.Bytes.of(TEXT));
                            held.add(x);
                        })) {
            List<Caller> callers = new ArrayList<>();
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Caller caller = server.connect();
                Call call = caller.call(gzip("/" + i));
                caller.await("the content", () -> call.length() > 0);
                callers.add(caller);
                calls.add(call);
                assertThat(call.field("Content-Encoding")).isEqualTo(i < 2 ? "gzip" : null);
                assertThat(call.field("Vary")).isEqualTo("Accept-Encoding");
            }
            assertThat(server.count(Counter.COMPRESSIONS_SKIPPED)).isEqualTo(1);
            Exchange first = held.remove();
            onLoop(first, () -> first.response().end(Fields.EMPTY));
            callers.getFirst().awaitEnd(calls.getFirst());
            Caller caller = server.connect();
            Call call = caller.call(gzip("/4"));
            caller.await("the content", () -> call.length() > 0);
            assertThat(call.field("Content-Encoding")).isEqualTo("gzip");
            for (Exchange x : held) {
                onLoop(x, () -> x.response().end(Fields.EMPTY));
            }
        }
    }

    @ContractTest
    void sendsFilesAndTrailers(ContractMode mode) throws IOException {
        Path file = Files.write(folder.resolve("spool"), LONG);
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.response().head(head(-1));
                            sendFile(it, x, file, 11, LONG.length - 11L);
                            x.response().end(new Fields().add("X-Sum", "7"));
                        })) {
            Call call = whole(server.connect(), gzip("/"));
            assertThat(inflated(call)).isEqualTo(Arrays.copyOfRange(LONG, 11, LONG.length));
            assertThat(call.trailers()).containsIgnoringCase("X-Sum: 7");
            assertThat(server.noted("released")).isEqualTo(1);
        }
    }

    @ContractTest
    void aFileThatBecameShorterBreaksTheResponse(ContractMode mode) throws IOException {
        Path file = Files.write(folder.resolve("spool"), LONG);
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.onAbort(() -> it.note("aborted"));
                            x.response().head(head(-1));
                            sendFile(it, x, file, 0, LONG.length + 1L);
                            x.response().end(Fields.EMPTY);
                        })) {
            Caller caller = server.connect();
            assertThat(caller.awaitEnd(caller.call(gzip("/"))).isBroken()).isTrue();
        }
    }

    @ContractTest
    void aWriterThatWaitsLearnsThatItsFileCannotBeRead(ContractMode mode) throws IOException {
        Path file = Files.write(folder.resolve("spool"), LONG);
        try (ContractServer server =
                server(
                        mode,
                        (it, x) -> {
                            x.onAbort(() -> it.note("aborted by " + x.fault()));
                            x.response().head(head(-1));
                            sendFile(it, x, file, 0, LONG.length + 1L);
                            x.response().onWritable(() -> it.note("writable"));
                        })) {
            Caller caller = server.connect();
            assertThat(caller.awaitEnd(caller.call(gzip("/"))).isBroken()).isTrue();
            assertThat(server.noted("writable")).isZero();
            assertThat(server.noted("aborted by APPLICATION")).isEqualTo(1);
        }
    }

    private static void sendFile(
            ContractServer server, Exchange x, Path file, long from, long length) {
        FileChannel open = open(file);
        x.response()
                .write(
                        new Body.FileRegion(
                                open,
                                from,
                                length,
                                () -> {
                                    server.note("released");
                                    close(open);
                                }));
    }

    private static FileChannel open(Path file) {
        try {
            return FileChannel.open(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Its first piece is shorter than what is worth compressing, and longer than what is gathered.
    @ContractTest
    void sendsAPieceThatCannotBeGathered(ContractMode mode) {
        Limits limits = ContractServer.LIMITS.with(draft -> draft.buffers.compressorsMax = 0);
        Compression long32k = ALL.with(draft -> draft.minBytes = 32 << 10);
        try (ContractServer server =
                server(
                        mode,
                        limits,
                        long32k,
                        (it, x) -> {
                            x.response().head(head(-1));
                            x.response().write(Body.Bytes.of(TEXT));
                            x.response().end(Fields.EMPTY);
                        })) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(caller.call(gzip("/")));
            assertThat(call.isBroken()).isFalse();
            assertThat(call.field("Content-Encoding")).isNull();
            assertThat(call.text()).isEqualTo(new String(TEXT, ISO_8859_1));
        }
    }
}
