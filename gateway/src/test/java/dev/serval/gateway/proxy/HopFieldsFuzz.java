package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Any Connection field: exactly the fields that it names, and those of a hop, are dropped.
final class HopFieldsFuzz {
    @FuzzTest(maxDuration = "20s")
    void connection(byte[] bytes) {
        String value =
                new String(bytes, StandardCharsets.ISO_8859_1)
                        .replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", "");
        // A list is the same in one field and in two.
        int half = value.indexOf(',', value.length() / 2);
        Fields fields = new Fields();
        fields.add("X-One", "1").add("Accept", "*/*").add("X-Two-Long", "2");
        if (half < 0) {
            fields.add(FieldName.CONNECTION, value.strip());
        } else {
            fields.add(FieldName.CONNECTION, value.substring(0, half).strip());
            fields.add(FieldName.CONNECTION, value.substring(half + 1).strip());
        }
        fields.add("TE", "trailers").add("Host", "a");
        int first = fields.indexOf(FieldName.CONNECTION, 0);
        Set<String> named =
                Arrays.stream(value.split(",", -1))
                        .map(one -> trimmed(one).toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
        HopFields hops = HopFields.of(fields);
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i).toLowerCase(Locale.ROOT);
            boolean hop = name.equals("connection") || name.equals("te");
            assertThat(hops.drops(fields, i))
                    .as("%s for %s", name, value)
                    .isEqualTo(hop || named.contains(name));
            assertThat(HopFields.hasOption(fields, first, name)).isEqualTo(named.contains(name));
        }
    }

    @Test
    void scrambledListsAreRead() {
        Scrambled.each(
                20_000,
                this::connection,
                "close",
                "keep-alive, X-One",
                "x-two-long,Accept ,,",
                "X-TWO-LONG\t, x-on",
                "te, host, upgrade");
    }

    /// Removes the white space of RFC 9110 §5.6.3.
    private static String trimmed(String text) {
        return text.replaceAll("^[ \t]+|[ \t]+$", "");
    }
}
