package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.EventLoop;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Checks that a response is not compressed for long in one turn of the loop, in whatever pieces its
/// content comes.
final class CompressionStepsTest {
    private static final int PIECE = 10_000;
    private static final int PIECES = 100;
    private static final int STEP = 64 << 10;
    private static final String ASK = "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";

    private final Map<Long, Integer> byTurn = new TreeMap<>();
    private int left = PIECES;

    /// Such as those of an upstream that is fast, which the proxy passes on.
    @Test
    void smallPiecesAreCompressedInSeveralTurns() throws IOException {
        Handler handler =
                x -> {
                    x.response().head(head());
                    write(EngineExchange.of(x));
                };
        Compression all = Compression.DEFAULT.with(draft -> draft.scope = Compression.Scope.ALL);
        MountSettings settings = MountSettings.NONE.with(draft -> draft.compression = all);
        Route route = new Route("/", List.of(handler), new Mapping("/"), settings);
        try (MemoryServer server =
                MemoryServer.of(x -> EngineExchange.of(x).enter(route), Limits.DEFAULT)) {
            MemoryPeer client = server.connect();
            client.send(ASK);
            for (int i = 0; i < PIECES; i++) { // a step need not send anything
                server.turn();
            }
            assertThat(byTurn.values()).allMatch(bytes -> bytes <= STEP + PIECE);
            assertThat(byTurn.size()).isBetween(PIECES * PIECE / (STEP + PIECE), PIECES / 4);
            GZIPInputStream content = new GZIPInputStream(new ByteArrayInputStream(chunks(client)));
            assertThat(content.readAllBytes()).hasSize(PIECES * PIECE);
        }
    }

    private static byte[] chunks(MemoryPeer client) {
        String answer = client.takeText();
        StringBuilder content = new StringBuilder();
        int at = answer.indexOf("\r\n\r\n") + 4;
        int length = -1;
        while (length != 0) {
            int end = answer.indexOf("\r\n", at);
            length = Integer.parseInt(answer, at, end, 16);
            content.append(answer, end + 2, end + 2 + length);
            at = end + 4 + length;
        }
        assertThat(at).isEqualTo(answer.length());
        return content.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void write(EngineExchange x) {
        while (left > 0) {
            left--;
            byTurn.merge(turn(x), PIECE, Integer::sum);
            if (x.response().write(Body.Bytes.of(new byte[PIECE])) <= 0) {
                x.response().onWritable(() -> write(x));
                return;
            }
        }
        x.response().end(Fields.EMPTY);
    }

    private static long turn(Exchange x) {
        return ((EventLoop) EngineExchange.of(x).loop()).turns();
    }

    private static ResponseHead head() {
        return new ResponseHead(
                Status.OK,
                new Fields().add(FieldName.CONTENT_TYPE, "text/plain"),
                ResponseHead.UNKNOWN_LENGTH);
    }
}
