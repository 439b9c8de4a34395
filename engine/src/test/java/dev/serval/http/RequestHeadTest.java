package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestHeadTest {
    @ParameterizedTest
    @ValueSource(classes = {RequestHead.class, Target.class})
    void hasNoPublicMethodThatChangesIt(Class<?> type) {
        assertThat(type.getConstructors()).isEmpty();
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())) {
                assertThat(method.getParameterCount()).as(method.toString()).isZero();
                assertThat(method.getReturnType()).as(method.toString()).isNotEqualTo(void.class);
            }
        }
    }

    @Test
    void returnsTheTextOfAnUnknownMethod() {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        byte[] line = "..MKCOL /a".getBytes(StandardCharsets.US_ASCII);
        writer.otherMethod(0, 5, HttpVersion.HTTP_1_1);
        assertThat(writer.origin(line, 8, 10, -1)).isNull();
        writer.keep(line, 2, 8);
        line[2] = '!';
        assertThat(writer.head().method()).isEqualTo(dev.serval.http.Method.OTHER);
        assertThat(writer.head().methodText()).isEqualTo("MKCOL");
        assertThat(writer.head().toString()).startsWith("MKCOL /a HTTP/1.1");
        writer.line(dev.serval.http.Method.PUT, HttpVersion.HTTP_1_1);
        assertThat(writer.head().methodText()).isEqualTo("PUT");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, GET",
        "PATCH, PATCH",
        "get, OTHER",
        "OTHER, OTHER",
        "x!, OTHER",
        "a:, ",
        "'', "
    })
    void findsTheMethodOfAToken(String token, dev.serval.http.Method named) {
        byte[] bytes = (token + "!").getBytes(StandardCharsets.US_ASCII);
        assertThat(dev.serval.http.Method.of(bytes, 0, token.length())).isEqualTo(named);
    }

    @Test
    void takesItsPartsFromSeparateArrays() {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        RequestHead head = writer.head();
        for (String path : new String[] {"/a/../b?c", "/" + "long/".repeat(200) + "?d"}) {
            writer.reset();
            assertThat(writer.path(bytes("-" + path + "-"), 1, 1 + path.length())).isNull();
            writer.name(FieldName.TE, bytes("xTE"), 1, 3);
            writer.value(bytes("trailers"), 0, 8);
            writer.scheme(true);
            assertThat(writer.method(bytes("MKCOL"), 0, 5, HttpVersion.HTTP_1_1)).isTrue();
            writer.authority(bytes("www.example:81"), 4, 14);
            writer.name(null, bytes("x-own"), 0, 5);
            writer.value(bytes("y".repeat(300)), 0, 300); // the buffer grows
            writer.end(7, true);
            assertThat(head.methodText()).isEqualTo("MKCOL");
            assertThat(head.target().text()).isEqualTo(path);
            assertThat(head.target().form()).isEqualTo(Target.Form.ORIGIN);
            assertThat(head.target().query()).isEqualTo(path.substring(path.indexOf('?') + 1));
            assertThat(head.target().isHttps()).isTrue();
            assertThat(head.target().buffer()).isSameAs(head.fields().buffer());
            assertThat(head.authority()).isEqualTo("example:81");
            assertThat(head.fields().first(FieldName.HOST)).isEqualTo("example:81");
            assertThat(head.fields().toString())
                    .isEqualTo("TE: trailers\nHost: example:81\nx-own: " + "y".repeat(300) + "\n");
            assertThat(head.contentLength()).isEqualTo(7);
            assertThat(head.expectsContinue()).isTrue();
            assertThat(head.connectProtocol()).isNull();
        }
        assertThat(writer.repeats(bytes("GET"), 0, 3)).isFalse();
    }

    @Test
    void connectWithoutPathHasAnAuthorityForm() {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        writer.method(bytes("CONNECT"), 0, 7, HttpVersion.HTTP_1_1);
        writer.authority(bytes("a:443"), 0, 5);
        writer.end(0, false);
        assertThat(writer.head().target().form()).isEqualTo(Target.Form.AUTHORITY);
        assertThat(writer.head().target().authority()).isEqualTo("a:443");
        writer.reset();
        writer.method(bytes("CONNECT"), 0, 7, HttpVersion.HTTP_1_1);
        writer.authority(bytes("a:443"), 0, 5);
        writer.path(bytes("*"), 0, 1);
        writer.connectProtocol(bytes("-websocket"), 1, 10);
        writer.end(0, false);
        assertThat(writer.head().target().form()).isEqualTo(Target.Form.ASTERISK);
        assertThat(writer.head().connectProtocol()).isEqualTo("websocket");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
