package dev.serval.bench.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PostStreamTest {
    private static String next(PostStream stream) {
        return new String(stream.next(), StandardCharsets.US_ASCII);
    }

    @Test
    void numbersEachRequest() {
        PostStream stream = PostStream.post("/osp", "a##########b##########", 998);
        String head =
                """
                POST /osp HTTP/1.1
                Host: 127.0.0.1
                content-type: text/plain
                Content-Length: 22
                Connection: Keep-Alive

                """;
        assertThat(next(stream)).isEqualTo(head.replace("\n", "\r\n") + "a0000000998b0000000998");
        assertThat(next(stream)).endsWith("a0000000999b0000000999");
        assertThat(next(stream)).endsWith("a0000001000b0000001000");
    }

    @Test
    void showsContentAndNumberOfTheLastRequest() {
        PostStream stream = PostStream.post("/", "a##########b", 7);
        String text = next(stream);
        assertThat(text.substring(stream.contentFrom())).isEqualTo("a0000000007b");
        assertThat(text.substring(stream.numberFrom(), stream.numberTo())).isEqualTo("0000000007");
        assertThat(stream.last()).isEqualTo(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void fileRequestsAreEqual() {
        PostStream stream = PostStream.get("/page.html");
        byte[] first = stream.next().clone();
        assertThat(stream.next()).isEqualTo(first);
    }

    @Test
    void contentsHaveTheSizesOfARealClient() throws IOException {
        assertThat(OspRun.authorization().length()).isBetween(800, 1_000);
        assertThat(OspRun.usage("source").length()).isBetween(1_900, 2_300);
        assertThat(OspRun.usage("destination")).contains("<Role>\ndestination</Role>");
    }

    @Test
    void streamsHaveNumbersOfTheirOwn() {
        Numbers numbers = new Numbers(-5);
        long first = numbers.next();
        assertThat(numbers.next()).isEqualTo((first + 10_000_000) % 9_000_000_000L);
    }
}
