package dev.serval.bench.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.client.AnswerReader;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnswerRuleTest {
    private static AnswerReader answer(String content) throws ProtocolException {
        AnswerReader reader = AnswerReader.keeping();
        String text =
                "HTTP/1.1 200 OK\r\nContent-Length: " + content.length() + "\r\n\r\n" + content;
        reader.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        return reader;
    }

    private static PostStream asked() {
        PostStream stream = PostStream.post("/", "a##########", 12);
        stream.next();
        return stream;
    }

    @Test
    void echoIsTheContentOfTheRequest() throws ProtocolException {
        assertThat(AnswerRule.echo().isRight(asked(), answer("a0000000012"))).isTrue();
        assertThat(AnswerRule.echo().isRight(asked(), answer("a0000000011"))).isFalse();
        assertThat(AnswerRule.echo().isRight(asked(), answer("a000000001"))).isFalse();
        assertThat(AnswerRule.echo().isRight(asked(), answer(""))).isFalse();
    }

    /// Columns: the number twice, two codes, destinations, whether it is right.
    @ParameterizedTest
    @CsvSource({
        "0000000012, 0000000012, 200, 200, 0, true",
        "0000000012, 0000000012, 200, 404, 0, false",
        "0000000012, 0000000013, 200, 200, 0, false",
        "0000000013, 0000000013, 200, 200, 0, false",
        "0000000012, 0000000012, 200, 200, 1, false",
    })
    void ospHasNumberSuccessAndDestinations(
            String message,
            String component,
            String first,
            String second,
            int destinations,
            boolean right)
            throws ProtocolException {
        String content =
                "<Message messageId=\""
                        + message
                        + "\"><C componentId=\"1"
                        + component
                        + "\"><Code>"
                        + first
                        + "</Code></C><C componentId=\"20000000012\"><Code>"
                        + second
                        + "</Code></C>"
                        + "<Destination></Destination>".repeat(destinations);
        assertThat(AnswerRule.osp(2, 0).isRight(asked(), answer(content))).isEqualTo(right);
    }
}
