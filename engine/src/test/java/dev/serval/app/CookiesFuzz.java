package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Any Cookie field causes no exception and never more cookies than the limit. Names and values
/// contain no separators.
final class CookiesFuzz {
    private static final int MOST = 4;

    @FuzzTest(maxDuration = "20s")
    void readsOrRefuses(byte[] bytes) {
        StringBuilder value = new StringBuilder();
        for (char c : new String(bytes, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (c == '\t' || (c >= ' ' && c != 0x7f)) { // valid in a field
                value.append(c);
            }
        }
        Fields fields = Fields.of(FieldName.COOKIE, value.toString());
        Map<String, String> cookies = new LinkedHashMap<>();
        Cookies.parse(fields, MOST, cookies);
        assertThat(cookies).hasSizeLessThanOrEqualTo(MOST);
        cookies.forEach((name, text) -> {
            assertThat(name).isNotEmpty().doesNotContain(";", "=").isEqualTo(name.strip());
            assertThat(text).doesNotContain(";");
        });
    }
}
