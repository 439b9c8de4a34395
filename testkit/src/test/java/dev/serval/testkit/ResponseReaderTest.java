package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    @Test
    void readsStatusLineFieldsAndContent() {
        RawResponse r =
                read(
                        "GET",
                        "HTTP/1.1 404 Not Found\\r\\nContent-Length: 3\\r\\nA:  b c \\r\\n\\r\\nabc");
        assertThat(r.status()).isEqualTo(404);
        assertThat(r.reason()).isEqualTo("Not Found");
        assertThat(r.field("a")).isEqualTo("b c");
        assertThat(r.text()).isEqualTo("abc");
        assertThat(r.framing()).isEqualTo(RawResponse.Framing.LENGTH);
    }

    @Test
    void joinsChunksAndKeepsTrailers() {
        RawResponse r =
                read(
                        "GET",
                        "HTTP/1.1 200 \\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\nabc\\r\\n"
                                + "A;x=y\\r\\n0123456789\\r\\n0\\r\\nT: u\\r\\n\\r\\n");
        assertThat(r.text()).isEqualTo("abc0123456789");
        assertThat(r.trailers()).containsExactly(new RawResponse.Field("T", "u"));
        assertThat(r.framing()).isEqualTo(RawResponse.Framing.CHUNKED);
    }

    @Test
    void contentWithoutFramingEndsWithTheConnection() {
        RawResponse r = read("GET", "HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nall of it");
        assertThat(r.text()).isEqualTo("all of it");
        assertThat(r.framing()).isEqualTo(RawResponse.Framing.CLOSE);
        assertThat(r.announcesClose()).isTrue();
    }

    @Test
    void noContentFollowsHead() {
        RawResponse r = read("HEAD", "HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\n");
        assertThat(r.body()).isEmpty();
    }

    @Test
    void noContentFollows304DespiteItsContentLength() {
        assertThat(read("GET", "HTTP/1.1 304 \\r\\nContent-Length: 3\\r\\n\\r\\n").body())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200\\r\\n\\r\\n",
                "HTTP/2.0 200 OK\\r\\n\\r\\n",
                "http/1.1 200 OK\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\n\\n",
                "HTTP/1.1 200 OK\\r\\nA : b\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nA: b\\r\\n c\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nA: b\\rc\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nA: \\0\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\na",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\nContent-Length: 1\\r\\n\\r\\na",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 1, 1\\r\\n\\r\\na",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n",
                "HTTP/1.1 204 No Content\\r\\nContent-Length: 0\\r\\n\\r\\n",
                "HTTP/1.1 100 Continue\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n",
                "HTTP/1.0 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nab\\r\\n0\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n 1\\r\\na\\r\\n0\\r\\n\\r\\n",
                "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\na\\r\\n0\\r\\n"
            })
    void refusesMalformedResponses(String response) {
        assertThatThrownBy(() -> read("GET", response)).isInstanceOf(AssertionError.class);
    }

    @Test
    void readsSameResponseCutAtEveryIndex() {
        byte[] bytes =
                Escapes.parse(
                        "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\nabc\\r\\n0"
                                + "\\r\\nT: u\\r\\n\\r\\n");
        RawResponse whole = RawResponse.all(bytes).getFirst();
        for (int cut = 0; cut <= bytes.length; cut++) {
            RawResponse r = read("GET", bytes, cut);
            assertThat(r.toString()).as("cut at %d", cut).isEqualTo(whole.toString());
            assertThat(r.trailers()).isEqualTo(whole.trailers());
        }
    }

    @Test
    void readsSeveralResponsesAndRefusesLeftovers() {
        String two =
                "HTTP/1.1 103 Early\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\na";
        assertThat(RawResponse.all(Escapes.parse(two + two)))
                .extracting(RawResponse::status)
                .containsExactly(103, 200, 103, 200);
        assertThatThrownBy(() -> RawResponse.all(Escapes.parse(two + "b")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a status line was due");
    }

    private static RawResponse read(String method, String escaped) {
        byte[] bytes = Escapes.parse(escaped);
        return read(method, bytes, bytes.length);
    }

    private static RawResponse read(String method, byte[] bytes, int cut) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ResponseReader reader =
                new ResponseReader(method, (o, from, to) -> body.write(o, from, to - from));
        int at = 0;
        for (int to : new int[] {cut, bytes.length}) {
            while (at < to && !reader.isComplete()) {
                at = reader.take(bytes, at, to);
            }
        }
        if (!reader.isComplete()) {
            reader.end();
        }
        return reader.response(body.toByteArray());
    }
}
