package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import dev.serval.gateway.cgi.Cuts;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.RequestParser;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ForwardPathTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "keep",
            value = {
                "/api, /api/x, keep, /api/x",
                "/api, /api/x?a=/../b, keep, /api/x?a=/../b",
                "/api, /api/x, /base, /base/x",
                "/api, /api/x, '', /x",
                "/api, /api, /base, /base",
                "/api, /api, '', /",
                "/api, /api?q, '', /?q",
                "/api, /api/, /base, /base/",
                "/, /x, /base, /base/x",
                "/, /, keep, /",
                "/api, /api/a%20b%3Bc, /base, /base/a%20b%3Bc",
                "/api, /%61pi/x, /base, /base/x",
                "/api, /%61pi/x, keep, /%61pi/x",
                "/api, //api//x, keep, /api/x",
                "/api, /api/./x/../y, /base, /base/y",
                "/api, /api/%2e%2E/api/y, /base, /base/y",
                "/api, /api/../api/y, keep, /api/y",
                "/api, /api/x/.., /base, /base/",
                "/api, /api/x/., '', /x/",
                "/a/b, /a/b/c//d, /z, /z/c/d",
                "/, /a/../b, keep, /b",
                "/api, http://h/api/x?q, /base, /base/x?q",
                "/, http://h?q, keep, /?q",
                "/, http://h, keep, /"
            })
    void mapsTargets(String prefix, String target, @Nullable String base, String expected) {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Set.of());
        byte[] head = Cuts.bytes("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(parser.parse(head, 0, head.length, 0, writer)).isPositive();
        ForwardPath path = new ForwardPath();
        path.write(
                writer.head().target(),
                prefix.equals("/") ? 0 : prefix.length(),
                base == null ? null : Cuts.bytes(base));
        assertThat(new String(path.array(), 0, path.length(), StandardCharsets.ISO_8859_1))
                .isEqualTo(expected);
    }
}
