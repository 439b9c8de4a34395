package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class FieldNameTest {
    @Test
    void findsEveryNameInAnyCaseAtAnyIndex() {
        for (int id = 0; id < FieldName.count(); id++) {
            FieldName name = FieldName.byId(id);
            String text = name.text();
            assertThat(name.id()).isEqualTo(id);
            assertThat(FieldName.of(text)).isSameAs(name);
            assertThat(FieldName.of(text.toUpperCase(Locale.ROOT))).isSameAs(name);
            assertThat(FieldName.of(text.toLowerCase(Locale.ROOT))).isSameAs(name);
            byte[] line = ("12345" + text + ": value").getBytes(StandardCharsets.US_ASCII);
            assertThat(FieldName.of(line, 5, 5 + text.length())).isSameAs(name);
        }
    }

    @Test
    void rejectsNameThatDiffersInOneByte() {
        for (int id = 0; id < FieldName.count(); id++) {
            String text = FieldName.byId(id).text();
            for (int at = 0; at < text.length(); at++) {
                for (int bit = 0; bit < 8; bit++) {
                    char other = (char) (text.charAt(at) ^ 1 << bit);
                    String changed = text.substring(0, at) + other + text.substring(at + 1);
                    if (!changed.equalsIgnoreCase(text)) {
                        assertThat(FieldName.of(changed)).as(changed).isNull();
                    }
                }
            }
        }
    }

    @Test
    void rejectsPartsAndExtensionsOfNames() {
        assertThat(FieldName.of("")).isNull();
        assertThat(FieldName.of("Hos")).isNull();
        assertThat(FieldName.of("Hosts")).isNull();
        assertThat(FieldName.of("Content-Lengt")).isNull();
        assertThat(FieldName.of("Content-Lengths")).isNull();
        assertThat(FieldName.of("Host\0\0\0\0")).isNull();
    }

    @Test
    void copiesItsText() {
        byte[] into = new byte[6];
        assertThat(FieldName.HOST.copyTo(into, 1)).isEqualTo(5);
        assertThat(new String(into, StandardCharsets.US_ASCII)).isEqualTo("\0Host\0");
    }
}
