package dev.serval.bench.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class RequestTest {
    @ParameterizedTest
    @ValueSource(ints = {50, 500, 5120})
    void formHasTheSize(int size) {
        Request request = new Request("/form", Request.Body.FORM, size, Request.Answer.SUM);
        assertThat(request.content()).hasSize(size);
        assertThat(request.method()).isEqualTo("POST");
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 1024, 5120})
    void jsonHasTheSizeAndIsJson(int size) {
        Request request = new Request("/echo", Request.Body.JSON, size, Request.Answer.ECHO);
        assertThat(request.content()).hasSize(size);
        assertThat(
                        JsonMapper.shared()
                                .readTree(new ByteArrayInputStream(request.content()))
                                .get("items")
                                .isArray())
                .isTrue();
        assertThat(request.expected()).isEqualTo(request.content());
        Request upload = new Request("/upload", Request.Body.JSON, size, Request.Answer.LENGTH);
        assertThat(text(upload.expected())).isEqualTo(String.valueOf(size));
    }

    @Test
    void sumCountsDecodedNamesAndValues() {
        Request request = new Request("/form", Request.Body.PARAMETERS, 3, Request.Answer.SUM);
        assertThat(text(request.content())).isEqualTo("p0=v0&p1=v1&p2=v2");
        assertThat(text(request.expected())).isEqualTo("3 parameters, 12 characters");
        // 6 characters of a name and 24 of its decoded value, then 4 and 9.
        Request form = new Request("/form", Request.Body.FORM, 50, Request.Answer.SUM);
        assertThat(text(form.content()))
                .isEqualTo("field0=some+words%2C+two+escapes%21&rest=" + "x".repeat(9));
        assertThat(text(form.expected())).isEqualTo("2 parameters, 43 characters");
    }

    @ParameterizedTest
    @CsvSource({"NONE, 1", "FORM, 49", "JSON, 49", "PARAMETERS, 0", "PARAMETERS, 1001"})
    void rejectsSizeThatCannotBeMade(Request.Body body, int size) {
        assertThatThrownBy(() -> new Request("/x", body, size, Request.Answer.HELLO))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("/x: size " + size);
    }

    @Test
    void onlyAGetWithoutSessionAndUserIsPlain() {
        assertThat(get(Request.Answer.HELLO).isPlain()).isTrue();
        assertThat(get(Request.Answer.COUNT).isPlain()).isFalse();
        assertThat(get(Request.Answer.MEMBERS).isPlain()).isFalse();
        assertThat(new Request("/x", Request.Body.JSON, 50, Request.Answer.ECHO).isPlain())
                .isFalse();
    }

    @Test
    void shortestPageHas93BytesInServletAndJsp() throws IOException {
        assertThat(get(Request.Answer.LINE).expected()).hasSize(93);
        try (InputStream page = Request.class.getResourceAsStream("line.jsp")) {
            assertThat(page.readAllBytes()).isEqualTo(get(Request.Answer.LINE).expected());
        }
    }

    @Test
    void eachMemberHasOwnCredentials() {
        assertThat(Members.credentials()).hasSize(1000).doesNotHaveDuplicates();
        assertThat(Members.credentials().getFirst()).isEqualTo("Basic dXNlcjA6c2VjcmV0MA==");
    }

    @Test
    void randomRowMustBeThatOfItsId() {
        Request item = get(Request.Answer.ITEM);
        assertThat(text(item.expected()))
                .isEqualTo("{\"id\":10000,\"name\":\"item 10000\",\"price\":2000}");
        byte[] other = "{\"id\":12345,\"name\":\"item 12345\",\"price\":4345}".getBytes(US_ASCII);
        assertThat(item.right(other)).isEqualTo(other).hasSameSizeAs(item.expected());
        byte[] wrong = "{\"id\":12345,\"name\":\"item 12345\",\"price\":4346}".getBytes(US_ASCII);
        assertThat(item.right(wrong)).isEqualTo(other);
        assertThat(item.right(new byte[0])).isEqualTo(item.expected());
        assertThat(text(get(Request.Answer.HELLO).right(other))).isEqualTo("Hello, World!");
    }

    @Test
    void onlyJsonNeedsLibraries() {
        assertThat(get(Request.Answer.ITEM).needsLibraries()).isTrue();
        assertThat(get(Request.Answer.ROWS).needsLibraries()).isFalse();
    }

    private static Request get(Request.Answer answer) {
        return new Request("/x", Request.Body.NONE, 0, answer);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, US_ASCII);
    }
}
