package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Any value of Priority: another reader, by a regular expression, gets the same urgency and the same
/// flag (RFC 9218 §4, RFC 8941 §3.2). What stands around the value does not matter.
final class PriorityFuzz {
    /// A member: a key with its value, parameters, and texts in which commas end nothing.
    private static final Pattern MEMBER =
            Pattern.compile(
                    "[ \\t]*([^ \\t;,\"]*)(?:\"(?:\\\\.|[^\"\\\\]++)*+(?:\"|\\\\?\\z)|[^,\"]++)*+(?:,|\\z)",
                    Pattern.DOTALL);

    private static final Pattern URGENCY = Pattern.compile("u=[0-7]");

    @FuzzTest(maxDuration = "20s")
    void value(byte[] bytes) {
        byte[] around = new byte[bytes.length + 2];
        around[0] = '"';
        around[around.length - 1] = ',';
        System.arraycopy(bytes, 0, around, 1, bytes.length);
        int read = Priority.read(around, 1, 1 + bytes.length, Priority.USUAL);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(read).as(text).isEqualTo(expected(text));
        assertThat(Priority.read(bytes, 0, bytes.length, Priority.USUAL)).isEqualTo(read);
    }

    private static int expected(String text) {
        int urgency = 3;
        boolean incremental = false;
        Matcher members = MEMBER.matcher(text);
        for (int at = 0; at < text.length() && members.find(at); at = members.end()) {
            boolean alone = !text.startsWith("\"", members.end(1));
            String member = alone ? members.group(1) : "";
            if (URGENCY.matcher(member).matches()) {
                urgency = member.charAt(2) - '0';
            } else if (member.equals("i") || member.equals("i=?1")) {
                incremental = true;
            } else if (member.equals("i=?0")) {
                incremental = false;
            }
        }
        return Priority.priority(urgency, incremental);
    }

    @Test
    void scrambledValuesAreReadAlike() {
        Scrambled.each(
                20_000,
                this::value,
                "u=1, i",
                "i=?0,u=7;x=\"a,u=0\", i",
                "x=\"a\\\",u=1\", u=2;y",
                "u=8, ui=1, i=?2, u=5\t,i=?1",
                "x=\"\\");
    }
}
