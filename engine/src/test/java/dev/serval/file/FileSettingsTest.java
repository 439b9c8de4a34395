package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Types and Cache-Control of a mount's files.
final class FileSettingsTest {
    private static final FileOptions OPTIONS =
            FileOptions.DEFAULT.with(draft -> {
                draft.types =
                        Map.of(
                                "md", "text/plain",
                                "tpl", "text/html; charset=iso-8859-1",
                                "js", "application/javascript");
                draft.unknownType = "text/plain; charset=us-ascii";
                draft.cacheRules =
                        List.of(
                                CacheRule.ofPaths(List.of("/assets/**"), "immutable"),
                                CacheRule.ofTypes(List.of("image/*"), "max-age=60"),
                                CacheRule.ofTypes(List.of("text/html"), "no-cache"));
            });

    @TempDir private Path root;

    @BeforeEach
    void makeSite() throws IOException {
        Files.createDirectory(root.resolve("assets"));
        for (String name :
                List.of(
                        "a.md",
                        "a.tpl",
                        "a.js",
                        "a.xyz",
                        "none",
                        "a.css",
                        "index.html",
                        "a.PNG",
                        "assets/a.png")) {
            Files.writeString(root.resolve(name), name);
        }
    }

    private RecordingExchange get(String path, String... fields) {
        return RecordingExchange.get(path, fields)
                .by(new FileHandler(root, OPTIONS, LaterClock.LATER));
    }

    @ParameterizedTest
    @CsvSource({
        "/a.md, text/plain; charset=utf-8",
        "/a.tpl, text/html; charset=iso-8859-1",
        "/a.js, application/javascript",
        "/a.xyz, text/plain; charset=us-ascii",
        "/none, text/plain; charset=us-ascii",
        "/a.css, text/css; charset=utf-8"
    })
    void sendsItsTypes(String path, String type) {
        assertThat(get(path).answered(FieldName.CONTENT_TYPE)).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({
        "/assets/a.png, immutable",
        "/a.PNG, max-age=60",
        "/, no-cache",
        "/index.html, no-cache",
        "/a.tpl, no-cache",
        "/a.css, ",
        "/none, "
    })
    void sendsTheFirstRuleThatMatches(String path, String value) {
        RecordingExchange x = get(path);
        assertThat(x.answered(FieldName.CACHE_CONTROL)).isEqualTo(value);
        RecordingExchange known = get(path, "If-None-Match: " + x.answered(FieldName.ETAG));
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.answered(FieldName.CACHE_CONTROL)).isEqualTo(value);
    }

    @Test
    void sendsTheRuleOfOneFile() {
        FileHandler only = new FileHandler(root.resolve("assets/a.png"), OPTIONS, LaterClock.LATER);
        assertThat(RecordingExchange.get("/").by(only).answered(FieldName.CACHE_CONTROL))
                .isEqualTo("max-age=60");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MD", ".md", "", "a/b"})
    void refusesAnExtensionThatIsNone(String extension) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        FileOptions.DEFAULT.with(
                                draft -> draft.types = Map.of(extension, "text/plain")))
                .withMessageContaining("An extension of a file must be in lower case");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "text/", "text/plain\r\nA: b", "text/ plain", ""})
    void refusesATypeThatIsNone(String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileOptions.DEFAULT.with(draft -> draft.unknownType = type))
                .withMessageContaining("A media type must be such as text/html");
    }

    @Test
    void refusesARuleThatMatchesNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheRule.ofTypes(List.of("image"), "no-cache"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheRule.ofTypes(List.of("Text/html"), "no-cache"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheRule.ofTypes(List.of("text/html"), "a\r\nB: c"));
    }
}
