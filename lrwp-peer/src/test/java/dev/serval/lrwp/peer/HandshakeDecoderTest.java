package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.HandshakeDecoder.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HandshakeDecoderTest {
    private static final String CHALLENGE = "CHALLENGE\u00FF000000032" + "c".repeat(32);

    private static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Reads the text whole, byte by byte and cut at every place; the results must be equal.
    private static String read(LrwpVersion version, String text) {
        byte[] bytes = bytes(text);
        String whole = read(version, bytes, bytes.length);
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertThat(read(version, bytes, cut)).as("cut at " + cut).isEqualTo(whole);
        }
        return whole;
    }

    private static String read(LrwpVersion version, byte[] bytes, int cut) {
        HandshakeDecoder decoder = new HandshakeDecoder(version);
        int used = decoder.decode(bytes, 0, cut);
        if (used == cut) {
            used = decoder.decode(bytes, cut, bytes.length);
        }
        Answer before = decoder.answer();
        if (before == null) {
            decoder.end();
        }
        Answer answer = decoder.answer();
        return switch (answer) {
            case null -> "nothing";
            case Answer.Accepted() -> "accepted, " + (bytes.length - used) + " left";
            case Answer.Challenged(byte[] challenge) ->
                    "challenged " + new String(challenge, StandardCharsets.ISO_8859_1);
            case Answer.Refused(String why) -> "refused " + why;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "OK,'accepted, 0 left'",
        "OK000000037,'accepted, 9 left'",
        "ERROR: Malformed startup string,refused ERROR: Malformed startup string",
        "'',refused",
        "O,refused O",
        "HTTP/1.1 400 Bad Request,refused HTTP/1.1 400 Bad Request"
    })
    void readsAnswerOfVersion1(String text, String expected) {
        assertThat(read(LrwpVersion.V1_0, text).strip()).isEqualTo(expected);
    }

    @Test
    void readsAnswersOfVersion2() {
        assertThat(read(LrwpVersion.V2_0, "OK\u00FF")).isEqualTo("accepted, 0 left");
        assertThat(read(LrwpVersion.V2_0, "OK\u00FF000000010")).isEqualTo("accepted, 9 left");
        assertThat(read(LrwpVersion.V2_0, "REJECTED\u00FFNot you\u00FF"))
                .isEqualTo("refused Not you");
        assertThat(read(LrwpVersion.V2_0, CHALLENGE)).isEqualTo("challenged " + "c".repeat(32));
        assertThat(read(LrwpVersion.V2_0, "Malformed LRWP2 connection string"))
                .isEqualTo("refused Malformed LRWP2 connection string");
        assertThat(read(LrwpVersion.V2_0, "ERROR: Unknown LRWP version"))
                .isEqualTo("refused ERROR: Unknown LRWP version");
    }

    @Test
    void takesRequestAfterBareOkOfOldAgent() {
        assertThat(read(LrwpVersion.V2_0, "OK000000010")).isEqualTo("accepted, 9 left");
    }

    @Test
    void refusesChallengeOfAnotherLength() {
        assertThat(read(LrwpVersion.V2_0, "CHALLENGE\u00FF000000016" + "c".repeat(32)))
                .startsWith("refused a challenge");
        assertThat(read(LrwpVersion.V2_0, "CHALLENGE 000000032" + "c".repeat(32)))
                .startsWith("refused a challenge");
    }

    @Test
    void limitsAnswerTo1024Bytes() {
        assertThat(read(LrwpVersion.V1_0, "E".repeat(1023), 0))
                .isEqualTo("refused " + "E".repeat(200));
        HandshakeDecoder decoder = new HandshakeDecoder(LrwpVersion.V1_0);
        assertThat(decoder.decode(bytes("E".repeat(2000)), 0, 2000)).isEqualTo(1024);
        assertThat(decoder.answer()).isInstanceOf(Answer.Refused.class);
    }

    private static String read(LrwpVersion version, String text, int cut) {
        return read(version, bytes(text), cut);
    }

    @Test
    void replacesControlCharacters() {
        assertThat(read(LrwpVersion.V1_0, "ERROR\n\u001B[31m")).isEqualTo("refused ERROR..[31m");
    }
}
