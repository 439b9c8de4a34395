package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Digests;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TempTree;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks rules about responses that one row of a table cannot express.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResponsesTest {
    private final Site site = new Site();

    @AfterAll
    void stop() {
        site.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/digits.txt",
                "/empty.txt",
                "/large.bin",
                "/folder",
                "/folder/",
                "/absent",
                "/chunked",
                "/nothing",
                "/target",
                "/WEB-INF/web.xml"
            })
    void headHasTheFieldsOfGet(String path) {
        try (RawClient client = site.server().connect()) {
            RawResponse get = client.exchange(Requests.get(path));
            RawResponse head = client.exchange("HEAD" + Requests.get(path).substring(3));
            assertThat(head.status()).isEqualTo(get.status());
            assertThat(names(head)).containsExactlyElementsOf(names(get));
        }
    }

    @Test
    void responseShorterThanItsLengthEndsTheConnection() {
        try (RawClient client = site.server().connect()) {
            client.send(Requests.get("/short") + Requests.get("/smuggled"));
            String said = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(said).doesNotContain("smuggled").containsOnlyOnce("HTTP/1.1");
        }
    }

    @Test
    void responseLongerThanItsLengthIsCutAndEndsTheConnection() {
        try (RawClient client = site.server().connect()) {
            client.send(Requests.get("/long") + Requests.get("/smuggled"));
            String said = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(said).doesNotContain("smuggled").containsOnlyOnce("HTTP/1.1");
            int content = said.indexOf("\r\n\r\n");
            assertThat(content < 0 ? "" : said.substring(content + 4)).matches("|01234");
        }
    }

    @Test
    void streamsContentInBothFramings() {
        byte[] content = TempTree.content("stream", 8 << 20);
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = 9 << 20);
        try (Served server = Served.with(b -> b.limits(limits).mount("/stream", Answers::stream));
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send(Requests.post("/stream", content.length)).send(content);
            assertSame(client.answer(), content, RawResponse.Framing.LENGTH);
            other.send("POST /stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            other.send(chunked(content));
            assertSame(other.answer(), content, RawResponse.Framing.CHUNKED);
        }
    }

    @Test
    void etagChangesWithTheContent() {
        try (RawClient client = site.server().connect()) {
            site.tree().file("changing.txt", "one");
            String first = client.exchange(Requests.get("/changing.txt")).field("ETag");
            site.tree().file("changing-too.txt", "two");
            String other = client.exchange(Requests.get("/changing-too.txt")).field("ETag");
            assertThat(first).isNotNull().isNotEqualTo(other);
        }
    }

    @Test
    void servesTheCurrentContentOfAChangedFile() {
        try (RawClient client = site.server().connect()) {
            site.tree().file("changing.txt", "one");
            assertThat(client.exchange(Requests.get("/changing.txt")).text()).isEqualTo("one");
            site.tree().file("changing.txt", "another");
            Await.until(
                    "the new content is served",
                    () -> client.exchange(Requests.get("/changing.txt")).text().equals("another"));
        }
    }

    private static void assertSame(
            RawResponse response, byte[] content, RawResponse.Framing framing) {
        assertThat(response.framing()).isEqualTo(framing);
        assertThat(Digests.sha256(response.body())).isEqualTo(Digests.sha256(content));
    }

    private static byte[] chunked(byte[] content) {
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        int size = 1;
        for (int at = 0; at < content.length; at += size, size = size * 3 % 40_009) {
            int length = Math.min(size, content.length - at);
            chunks.writeBytes(
                    (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            chunks.write(content, at, length);
            chunks.writeBytes(new byte[] {'\r', '\n'});
        }
        chunks.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return chunks.toByteArray();
    }

    private static List<String> names(RawResponse response) {
        return response.fields().stream()
                .map(f -> f.name().equals("Date") ? "Date" : f.name() + ": " + f.value())
                .sorted()
                .toList();
    }
}
