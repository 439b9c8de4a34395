package dev.serval.servlet.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.ProtocolError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Any form causes no exception and never more parameters than the limit. Read from a stream, it
/// gives the same. Accepted parameters are the same after they are encoded and read again.
final class ParametersFuzz {
    private static final ParameterLimits LIMITS = new ParameterLimits(20, 400);
    private static final HashKey KEY = HashKey.of(new Random(1));

    @FuzzTest(maxDuration = "20s")
    void readsOrRefuses(byte[] bytes) throws IOException {
        Parameters read = new Parameters(LIMITS, KEY);
        @Nullable ProtocolError error =
                read.addForm(bytes, 0, bytes.length, StandardCharsets.UTF_8);
        Parameters streamed = new Parameters(LIMITS, KEY);
        assertThat(streamed.readForm(new ByteArrayInputStream(bytes), -1, StandardCharsets.UTF_8))
                .isEqualTo(error);
        assertThat(read.size()).isLessThanOrEqualTo(LIMITS.parametersMax());
        assertThat(error == null || read.size() == 0).isTrue();
        StringJoiner encoded = new StringJoiner("&");
        read.map()
                .forEach((name, values) -> {
                    assertThat(read.all(name)).isEqualTo(values);
                    assertThat(streamed.all(name)).isEqualTo(values);
                    for (String value : values) {
                        encoded.add(encode(name) + "=" + encode(value));
                    }
                });
        Parameters again = new Parameters(LIMITS, KEY);
        assertThat(again.addQuery(encoded.toString(), StandardCharsets.UTF_8)).isNull();
        assertThat(again.names()).isEqualTo(read.names());
        for (Map.Entry<String, String[]> entry : read.map().entrySet()) {
            assertThat(again.all(entry.getKey())).isEqualTo(entry.getValue());
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
