package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/// Any query or form causes no exception and never more parameters than the limit. Accepted
/// parameters are the same after they are encoded and read again.
final class ParametersFuzz {
    private static final int MOST = 5;
    private static final ProtocolError TOO_MANY =
            new ProtocolError(Status.BAD_REQUEST, "too many", "test");

    @FuzzTest(maxDuration = "20s")
    void readsOrRefuses(byte[] bytes) {
        Parameters read = new Parameters();
        boolean refused = read.parse(bytes, 0, bytes.length, MOST, TOO_MANY) != null;
        StringJoiner encoded = new StringJoiner("&");
        int count = 0;
        for (String name : read.names()) {
            for (String value : read.all(name)) {
                count++;
                encoded.add(encode(name) + "=" + encode(value));
            }
        }
        assertThat(count).isLessThanOrEqualTo(MOST);
        if (!refused) {
            byte[] again = encoded.toString().getBytes(StandardCharsets.US_ASCII);
            Parameters second = new Parameters();
            assertThat(second.parse(again, 0, again.length, MOST, TOO_MANY)).isNull();
            assertThat(second.toString()).isEqualTo(read.toString());
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
