package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

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
        RequestHeadWriter writer = new RequestHeadWriter();
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
}
