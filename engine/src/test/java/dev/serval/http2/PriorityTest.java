package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PriorityTest {
    private static String read(String value, int before) {
        byte[] bytes = ("#" + value + ",u=7").getBytes(StandardCharsets.ISO_8859_1);
        int priority = Priority.read(bytes, 1, 1 + value.length(), before);
        return Priority.urgency(priority) + (Priority.isIncremental(priority) ? " i" : "");
    }

    @ParameterizedTest(name = "RFC 9218 §4: \"{0}\"")
    @CsvSource(
            delimiter = '|',
            value = {
                "''                       | 3",
                "u=0                      | 0",
                "u=7                      | 7",
                "u=1, i                   | 1 i",
                "i,u=1                    | 1 i",
                "'\tu=1 ,\t i '            | 1 i",
                "i=?1                     | 3 i",
                "i, i=?0                  | 3",
                "u=1, u=5                 | 5",
                "u=2;x=1, i;y             | 2 i",
                "x, y=1.5, z=(1 2), u=2   | 2",
                "x=\"a,u=1\", u=2          | 2",
                "x=\"a\\\",u=1\", u=2       | 2",
                "u=8                      | 3",
                "u=-1                     | 3",
                "u=12                     | 3",
                "u                        | 3",
                "u=?1                     | 3",
                "i=1                      | 3",
                "i=?2                     | 3",
                "U=1, I                   | 3",
                "ui=1                     | 3",
                ",,,                      | 3",
                "x=\"                     | 3",
                "x=\"\\                   | 3"
            })
    void membersAreRead(String value, String expected) {
        assertThat(read(value, Priority.USUAL)).isEqualTo(expected);
    }

    @Test
    void whatAValueDoesNotSayStays() {
        assertThat(read("u=5", Priority.FAIR)).isEqualTo("5 i");
        assertThat(read("i=?0", Priority.priority(6, true))).isEqualTo("6");
        assertThat(read("i", Priority.priority(6, false))).isEqualTo("6 i");
    }

    @Test
    void earlyPrioritiesAreTakenOnce() {
        EarlyPriorities early = new EarlyPriorities();
        assertThat(early.take(1)).isEqualTo(EarlyPriorities.NONE);
        early.put(1, 2);
        early.put(3, 4);
        early.put(1, 5);
        assertThat(early.take(1)).isEqualTo(5);
        assertThat(early.take(1)).isEqualTo(EarlyPriorities.NONE);
        assertThat(early.take(3)).isEqualTo(4);
    }

    @Test
    void onlyTheLastEarlyPrioritiesAreKept() {
        EarlyPriorities early = new EarlyPriorities();
        for (int i = 0; i < 33; i++) {
            early.put(1 + 2 * i, 6);
        }
        assertThat(early.take(1)).isEqualTo(EarlyPriorities.NONE);
        assertThat(early.take(3)).isEqualTo(6);
        assertThat(early.take(65)).isEqualTo(6);
    }
}
