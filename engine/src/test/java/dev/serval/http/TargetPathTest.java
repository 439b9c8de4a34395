package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetPathTest {
    private final TargetPath path = new TargetPath();

    @ParameterizedTest(name = "RFC 3986 §6.2.2: {0} is {1}")
    @CsvSource({
        "/, /",
        "//, /",
        "///, /",
        "/., /",
        "/./, /",
        "/a, /a",
        "/a/, /a/",
        "/a//, /a/",
        "//a, /a",
        "/a//b, /a/b",
        "/./a, /a",
        "/a/., /a/",
        "/a/./, /a/",
        "/a/./b, /a/b",
        "/a/.., /",
        "/a/../, /",
        "/a/../b, /b",
        "/a/b/.., /a/",
        "/a/b/../, /a/",
        "/a/b/../.., /",
        "/a/b/../../c, /c",
        "/a//../b, /b",
        "/a/./../b, /b",
        "/..., /...",
        "/.a, /.a",
        "/..a, /..a",
        "/a.., /a..",
        "/a./b, /a./b",
        "/.../b, /.../b",
        "/%2e, /",
        "/%2E%2e/a, above",
        "/a/%2e., /",
        "/a/.%2e/b, /b",
        "/%61, /a",
        "/%25, /%",
        "/%2561, /%61",
        "/a%20b, '/a b'",
        "/%3b, /;",
        "/%c3%a4, /\u00e4",
        "/%F0%9F%98%80, /\uD83D\uDE00",
        "/a;b, /a;b",
        "/a;b/../c, /c",
        "/.., above",
        "/../, above",
        "/../a, above",
        "/a/../.., above",
        "/a/../../b, above",
        "//.., above",
        "/./.., above",
        "/.;a, dots",
        "/..;a, dots",
        "/a/..;, dots",
        "/a/..;/b, dots",
        "/a/%2e%2e;x/b, dots",
        "/a/..%3bx/b, dots",
        "/%2f, slash",
        "/a%2Fb, slash",
        "/%5c, slash",
        "/a\\b, slash",
        "/%00, slash",
        "/%1f, slash",
        "/%7f, slash",
        "/%0a, slash",
        "/%, encoding",
        "/%a, encoding",
        "/%zz, encoding",
        "/%4/, encoding",
        "/%-1, encoding",
        "/%80, UTF-8",
        "/%ff, UTF-8",
        "/%c3, UTF-8",
        "/%c0%ae, UTF-8",
        "/%e0%80%af, UTF-8",
        "/%ed%a0%80, UTF-8",
        "/%f5%80%80%80, UTF-8",
    })
    void normalises(String raw, String expected) {
        assertThat(read(raw)).isEqualTo(expected);
    }

    @Test
    void plainPathIsNotCopied() {
        byte[] raw = "GET /a/b.c HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
        assertThat(path.set(raw, 4, 10)).isNull();
        assertThat(path.buffer()).isSameAs(raw);
        assertThat(path.from()).isEqualTo(4);
        assertThat(path.length()).isEqualTo(6);
        byte[] copy = raw.clone();
        path.move(copy, 0);
        assertThat(path.buffer()).isSameAs(copy);
    }

    @Test
    void replacesThePreviousPath() {
        assertThat(read("/long/path/%41")).isEqualTo("/long/path/A");
        assertThat(read("/b")).isEqualTo("/b");
        assertThat(read("/%41")).isEqualTo("/A");
        path.root();
        assertThat(path.text()).isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/b", "/a//b", "/a/%62"})
    void knowsWhichPrefixesItIsBelow(String raw) {
        read(raw);
        assertThat(below("")).isTrue();
        assertThat(below("/a")).isTrue();
        assertThat(below("/a/b")).isTrue();
        assertThat(below("/a/b/c")).isFalse();
        assertThat(below("/b")).isFalse();
        assertThat(below("/a/")).isFalse();
        read(raw + "c");
        assertThat(below("/a/b")).isFalse();
    }

    private boolean below(String prefix) {
        return path.isBelow(prefix.getBytes(StandardCharsets.US_ASCII));
    }

    /// Returns the path, or a word for its fault.
    private String read(String raw) {
        byte[] bytes = raw.getBytes(StandardCharsets.US_ASCII);
        ProtocolError wrong = path.set(bytes, 0, bytes.length);
        if (wrong == null) {
            return path.text();
        }
        assertThat(wrong.status()).isEqualTo(Status.BAD_REQUEST);
        return switch (wrong.section()) {
            case "RFC 3986 §5.2.4" -> "above";
            case "Servlet 6.1 §3.5.2" -> "dots";
            case "RFC 3986 §7.3" -> "slash";
            case "RFC 3986 §2.1" -> "encoding";
            case "RFC 3986 §2.5" -> "UTF-8";
            default -> wrong.toString();
        };
    }
}
