package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.CodecKey;
import dev.serval.gateway.cgi.Cuts;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.TargetPath;
import dev.serval.http1.RequestParser;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Any target that the server accepts: what is forwarded is accepted too, and means the same path,
/// so the upstream cannot take it for a path outside of the mount.
final class ForwardPathFuzz {
    @FuzzTest(maxDuration = "20s")
    void path(byte[] bytes) {
        String target = "/" + new String(bytes, StandardCharsets.ISO_8859_1);
        @Nullable RequestHeadWriter writer = parsed(target);
        if (writer == null) {
            return;
        }
        String path = text(writer);
        int second = path.indexOf('/', 1);
        int first = path.equals("/") ? 0 : second < 0 ? path.length() : second;
        check(writer, 0, null, path);
        check(writer, first, null, path);
        check(writer, 0, "/base", "/base" + path);
        check(writer, first, "/base", "/base" + path.substring(first));
        String rest = path.substring(first);
        check(writer, first, "", rest.isEmpty() ? "/" : rest);
    }

    private static void check(
            RequestHeadWriter writer, int prefixLength, @Nullable String base, String expected) {
        ForwardPath path = new ForwardPath();
        path.write(writer.head().target(), prefixLength, base == null ? null : Cuts.bytes(base));
        String forwarded = new String(path.array(), 0, path.length(), StandardCharsets.ISO_8859_1);
        assertThat(forwarded).matches("/[!-~]*");
        int query = forwarded.indexOf('?');
        String raw = (query < 0 ? forwarded : forwarded.substring(0, query)) + "/";
        assertThat(raw).doesNotContain("/./", "/../", "\\");
        RequestHeadWriter again = Objects.requireNonNull(parsed(forwarded), forwarded);
        assertThat(text(again)).as(forwarded).isEqualTo(expected);
        assertThat(again.head().target().query()).isEqualTo(writer.head().target().query());
    }

    private static @Nullable RequestHeadWriter parsed(String target) {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Set.of());
        byte[] head = Cuts.bytes("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
        return parser.parse(head, 0, head.length, 0, writer) == head.length ? writer : null;
    }

    /// Returns the normalised path, with one character for each byte.
    private static String text(RequestHeadWriter writer) {
        TargetPath path = writer.head().target().path();
        return new String(
                path.buffer(), path.from(), path.to() - path.from(), StandardCharsets.ISO_8859_1);
    }
}
