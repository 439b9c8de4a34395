package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.hpack.HpackScratch;
import dev.serval.http.Fields;
import dev.serval.policy.Limits;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks header blocks in several frames, and the trailers in them.
final class BlockReaderTest {
    private static final Limits.Contents LIMITS =
            Limits.Contents.DEFAULT.with(draft -> {
                draft.trailersMax = 2;
                draft.trailersMaxBytes = 20;
            });

    private TrailerFields trailers = new TrailerFields(LIMITS);
    private final BlockReader reader = new BlockReader(new HpackScratch(), trailers);

    /// Reads a block that arrives in frames.
    ///
    /// @return the code of the error, or the fields
    private String read(String hex, int... ends) {
        byte[] block = HexFormat.of().parseHex(hex.replace(" ", ""));
        trailers = new TrailerFields(LIMITS);
        reader.begin(1000, trailers);
        int from = 0;
        for (int end : ends) {
            FrameError wrong = reader.read(block, from, end, false);
            if (wrong != null) {
                return wrong.code().toString();
            }
            from = end;
        }
        FrameError wrong = reader.read(block, from, block.length, true);
        FrameError malformed = trailers.malformed();
        return wrong != null
                ? wrong.code().toString()
                : malformed != null ? malformed.code().toString() : trailers.end().toString();
    }

    /// The memory of a past block must be free, though the next block comes late.
    @Test
    void sinkOfAPastBlockIsForgotten() {
        TrailerFields first = trailers;
        assertThat(read("40 03616263 03646566")).isEqualTo("abc: def\n");
        TrailerFields past = trailers;
        assertThat(reader.read(new byte[] {(byte) 0xbe}, 0, 1, true)).isNull();
        assertThat(past.end().size()).isEqualTo(1);
        assertThat(first.end().toString()).isEqualTo("abc: def\n");
    }

    @Test
    void lineMayBeDividedAnywhere() {
        String expected = "abc: def\nabc: def\n";
        assertThat(read("40 03616263 03646566 be")).isEqualTo(expected);
        for (int cut = 0; cut <= 10; cut++) {
            assertThat(read("be 40 03616263 03646566", cut)).isEqualTo(expected);
        }
        int[] every = new int[10];
        Arrays.setAll(every, i -> i);
        assertThat(read("be 40 03616263 03646566", every)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "half a line at the end, 4003616263, COMPRESSION_ERROR",
        "an index of nothing, be, COMPRESSION_ERROR",
        "an endless string, 007fffff7f, ENHANCE_YOUR_CALM",
        "a pseudo-header field, 84, PROTOCOL_ERROR",
        "a name in capitals, 0001410161, PROTOCOL_ERROR",
        "a control character, 0001610101, PROTOCOL_ERROR",
        "a field of HTTP/1.1, 000a636f6e6e656374696f6e0161, PROTOCOL_ERROR",
        "Content-Length, 0f0d0131, PROTOCOL_ERROR",
        "too many, 000161016100016201610001630161, ENHANCE_YOUR_CALM",
        "too large, 000161146161616161616161616161616161616161616161, ENHANCE_YOUR_CALM"
    })
    void refusesTrailers(String what, String block, String code) {
        assertThat(read(block)).as(what).isEqualTo(code);
    }

    @Test
    void trailersMayReachTheirLimits() {
        assertThat(read("0001611261616161616161616161616161616161616100016200"))
                .isEqualTo("a: aaaaaaaaaaaaaaaaaa\nb: \n");
    }

    @Test
    void trailersAreReceivedFields() {
        assertThat(read("0001610161")).isEqualTo("a: a\n");
        Fields fields = trailers.end();
        assertThatThrownBy(() -> fields.add("b", "c")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void continuationsAreCounted() {
        reader.begin(1000, trailers);
        assertThat(reader.continuation(2)).isNull();
        assertThat(reader.continuation(2)).isNull();
        assertThat(reader.continuation(2)).isEqualTo(Broken.BLOCK_FLOOD);
        reader.begin(1000, trailers);
        assertThat(reader.continuation(2)).isNull();
    }

    @Test
    void restIsNotKeptAfterTheBlock() {
        byte[] block = HexFormat.of().parseHex("400361626303646566");
        BlockReader other = new BlockReader(new HpackScratch(), trailers);
        other.begin(1000, trailers);
        assertThat(other.read(block, 0, block.length, true)).isNull();
        assertThat(read(HexFormat.of().formatHex(block), 3)).isEqualTo("abc: def\n");
        assertThat(reader.memoryBytes()).isEqualTo(other.memoryBytes());
    }
}
