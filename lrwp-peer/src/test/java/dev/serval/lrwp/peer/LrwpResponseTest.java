package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LrwpResponseTest {
    private static String head(LrwpResponse response) {
        return new String(response.head(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void hasStatusOnlyIfItIsNot200() {
        assertThat(head(LrwpResponse.html("x")))
                .isEqualTo("Content-Type: text/html; charset=utf-8\r\n\r\n");
        assertThat(head(LrwpResponse.status(404, "No")))
                .isEqualTo(
                        "Status: 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n");
        assertThat(head(LrwpResponse.text("x").withStatus(299)))
                .startsWith("Status: 299 Status\r\n");
        assertThat(head(LrwpResponse.empty(200))).isEqualTo("Status: 200 OK\r\n\r\n");
    }

    /// Without its status, the agent would make it 302 (RFC 3875 §6.2.3).
    @Test
    void locationDoesNotChangeTheStatus() {
        assertThat(head(LrwpResponse.text("x").with("location", "/made/1")))
                .startsWith("Status: 200 OK\r\n");
        assertThat(head(LrwpResponse.text("x").with("Content-Location", "/made/1")))
                .doesNotContain("Status");
    }

    @Test
    void keepsRepeatedFieldsInOrder() {
        LrwpResponse cookies =
                LrwpResponse.empty(204).with("Set-Cookie", "a=1").with("Set-Cookie", "b=2");
        assertThat(head(cookies)).endsWith("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length",
                "transfer-encoding",
                "Connection",
                "Keep-Alive",
                "Upgrade",
                "Trailer",
                "Status"
            })
    void refusesFieldsThatTheAgentSets(String name) {
        assertThatThrownBy(() -> LrwpResponse.text("x").with(name, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the agent sets");
    }

    @Test
    void refusesWhatIsNotAField() {
        for (String name : List.of("", "a b", "a:b", "ä", "a\n")) {
            assertThatThrownBy(() -> LrwpResponse.text("x").with(name, "x"))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String value : List.of("x\r\nb: c", "x\0", "x\n", "\u0394", "x\u007F")) {
            assertThatThrownBy(() -> LrwpResponse.text("x").with("a", value))
                    .as(value)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void limitsTheHead() {
        String large = "x".repeat(LrwpResponse.FIELDS_MAX_CHARS - 10);
        LrwpResponse response = LrwpResponse.empty(204).with("a", large);
        assertThat(head(response)).hasSizeGreaterThan(large.length());
        assertThatThrownBy(() -> response.with("a", "1234567890"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 32704");
        assertThatThrownBy(() -> LrwpResponse.of(200, large, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 32704");
    }

    @Test
    void limitsTheFieldsWithTheContentType() {
        LrwpResponse response = LrwpResponse.text("x");
        for (int i = 1; i < 99; i++) {
            response = response.with("Set-Cookie", "c" + i + "=1");
        }
        LrwpResponse full = response;
        assertThat(head(full)).contains("c98=1");
        assertThatThrownBy(() -> full.with("Set-Cookie", "c99=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100 fields: at most 99");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 199, 600, -1})
    void refusesStatusOutsideOf200To599(int status) {
        assertThatThrownBy(() -> LrwpResponse.empty(status)).hasMessageContaining("200 to 599");
    }

    @Test
    void limitsSizeOfStream() {
        assertThat(LrwpResponse.stream("a/b", 999_000_000, out -> {}).bodyBytes())
                .isEqualTo(999_000_000);
        assertThatThrownBy(() -> LrwpResponse.stream("a/b", 999_000_001, out -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LrwpResponse.stream("a/b", -1, out -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
