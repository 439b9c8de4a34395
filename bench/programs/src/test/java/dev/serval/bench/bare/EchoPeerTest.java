package dev.serval.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class EchoPeerTest {
    private static final String REQUEST = "000000005A=1\0\0" + "000000003xyz";
    private static final String ANSWER =
            "000000045Content-Type: application/octet-stream\r\n\r\nxyz";

    private final EchoPeer.Requests requests = new EchoPeer.Requests();
    private final ByteBuffer out = ByteBuffer.allocate(64 << 10);

    private boolean answered(String piece) throws ProtocolException {
        requests.add(piece.getBytes(StandardCharsets.ISO_8859_1));
        return requests.answer(out);
    }

    @Test
    void returnsTheContentWhereverARequestIsCut() throws ProtocolException {
        for (int cut = 1; cut < REQUEST.length(); cut++) {
            assertThat(answered(REQUEST.substring(0, cut))).as("%d bytes", cut).isFalse();
            assertThat(answered(REQUEST.substring(cut))).as("all bytes").isTrue();
            assertThat(StandardCharsets.ISO_8859_1.decode(out).toString()).isEqualTo(ANSWER);
        }
    }

    @Test
    void refusesLengthsThatAreNoNumbers() {
        assertThatThrownBy(() -> answered("00000000x")).isInstanceOf(ProtocolException.class);
    }

    @Test
    void refusesRequestsAboveItsRoom() {
        assertThatThrownBy(() -> answered("000065536")).isInstanceOf(ProtocolException.class);
    }
}
