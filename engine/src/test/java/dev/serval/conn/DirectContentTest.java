package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.exchange.DirectContent;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks content that a handler puts into the buffers of the connection.
@Timeout(60)
final class DirectContentTest {
    private static final int LARGE = 1 << 20;

    /// What [DirectContent#room] has returned, as remaining bytes; -1 for null.
    private final List<Integer> rooms = Collections.synchronizedList(new ArrayList<>());

    /// Puts as much of a counted content as fits, until all of it is written.
    private final class Counting {
        private final EngineExchange exchange;
        private final long promised;
        private final long wanted;
        private long put;

        Counting(EngineExchange exchange, long promised, long wanted) {
            this.exchange = exchange;
            this.promised = promised;
            this.wanted = wanted;
        }

        void start() {
            exchange.response().head(new ResponseHead(Status.OK, Fields.EMPTY, promised));
            go();
        }

        private void go() {
            while (put < wanted) {
                @Nullable ByteBuffer into = exchange.directContent().room(wanted - put);
                rooms.add(into == null ? -1 : into.remaining());
                if (into == null) {
                    break;
                }
                assertThat(into.isDirect()).isTrue();
                while (into.hasRemaining()) {
                    into.put((byte) put++);
                }
                if (exchange.directContent().filled() <= 0) {
                    exchange.response().onWritable(this::go);
                    return;
                }
            }
            exchange.response().end(Fields.EMPTY);
        }
    }

    private static RawResponse ask(String method, Handler handler) throws IOException {
        try (Serval server = Serval.builder().listen(0).loops(1).mount("/", handler).start();
                RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            return client.answer(method);
        }
    }

    private Handler counting(long promised, long wanted) {
        return x -> new Counting(EngineExchange.of(x), promised, wanted).start();
    }

    @Test
    void isSentAsItWasPut() throws IOException {
        byte[] content = ask("GET", counting(LARGE, LARGE)).body();
        byte[] expected = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            expected[i] = (byte) i;
        }
        assertThat(content).isEqualTo(expected);
        assertThat(rooms).allMatch(room -> room > 0).hasSizeGreaterThan(4);
    }

    @Test
    void hasNoRoomBeyondThePromisedLength() throws IOException {
        assertThat(ask("GET", counting(10, 12)).body()).hasSize(10);
        assertThat(rooms).containsExactly(10, -1);
    }

    @Test
    void hasNoRoomWhereContentNeedsFraming() throws IOException {
        assertThat(ask("GET", counting(ResponseHead.UNKNOWN_LENGTH, 12)).body()).isEmpty();
        assertThat(rooms).containsExactly(-1);
    }

    @Test
    void hasNoRoomIfNoContentIsSent() throws IOException {
        assertThat(ask("HEAD", counting(12, 12)).status()).isEqualTo(200);
        assertThat(rooms).containsExactly(-1);
    }

    /// A read that finds nothing puts nothing. A body comes after what was put before.
    @Test
    void mayBePutInPiecesBesideBodies() throws IOException {
        Handler handler =
                x -> {
                    DirectContent direct = EngineExchange.of(x).directContent();
                    x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 5));
                    put(direct, "a");
                    put(direct, "");
                    put(direct, "bc");
                    x.response().write(Body.Bytes.of("d".getBytes(StandardCharsets.US_ASCII)));
                    put(direct, "e");
                    x.response().end(Fields.EMPTY);
                };
        assertThat(ask("GET", handler).text()).isEqualTo("abcde");
    }

    private static void put(DirectContent direct, String text) {
        @Nullable ByteBuffer into = direct.room(5);
        if (into == null) {
            throw new AssertionError("no room for " + text);
        }
        into.put(text.getBytes(StandardCharsets.US_ASCII));
        direct.filled();
    }
}
