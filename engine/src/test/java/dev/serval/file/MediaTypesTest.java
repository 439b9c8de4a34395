package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MediaTypesTest {
    @ParameterizedTest
    @CsvSource({
        "index.html, text/html; charset=utf-8",
        "INDEX.HTM, text/html; charset=utf-8",
        "a.js, text/javascript; charset=utf-8",
        "a.mjs, text/javascript; charset=utf-8",
        "a.css, text/css; charset=utf-8",
        "a.json, application/json",
        "a.wasm, application/wasm",
        "a.woff2, font/woff2",
        "a.avif, image/avif",
        "a.svg, image/svg+xml",
        "a.webmanifest, application/manifest+json",
        "a.mp4, video/mp4",
        "a.tar.gz, application/gzip",
        "a.unknown, application/octet-stream",
        "README, application/octet-stream",
        "html, application/octet-stream",
        "a., application/octet-stream",
        "a.html/README, application/octet-stream"
    })
    void knowsTypesByExtension(String name, String type) {
        assertThat(MediaTypes.of(name, FileOptions.DEFAULT)).isEqualTo(type);
    }

    @Test
    void addsNoCharsetIfNoneIsConfigured() {
        assertThat(
                        MediaTypes.of(
                                "a.html",
                                FileOptions.DEFAULT.with(draft -> draft.textCharset = "")))
                .isEqualTo("text/html");
    }
}
