package dev.serval.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HpackEncoderTest {
    private final HeaderBlock block = new HeaderBlock();
    private final HpackEncoder encoder = new HpackEncoder(block);
    private final Pieces reader = new Pieces(100_000);

    private void begin() {
        block.clear();
        encoder.begin(block);
    }

    private String hex() {
        return HexFormat.of().formatHex(block.array(), 0, block.length());
    }

    private String read() {
        byte[] bytes = Arrays.copyOf(block.array(), block.length());
        return reader.read(bytes, bytes.length);
    }

    private String send(String name, String value) {
        begin();
        Lines.put(encoder, name, value);
        assertThat(read()).isEqualToIgnoringCase(name + ": " + value + "\n");
        return hex();
    }

    @ParameterizedTest
    @CsvSource({"10, 0a", "30, 1e", "31, 1f00", "1337, 1f9a0a"})
    void integersAreThoseOfTheRfc(int value, String expected) {
        block.clear();
        block.integer(0, 5, value);
        assertThat(hex()).isEqualTo(expected);
    }

    @Test
    void lineIsAddedAtItsSecondAppearance() {
        assertThat(send("custom-key", "custom-value")).startsWith("0088");
        assertThat(send("custom-key", "custom-value")).startsWith("4088");
        assertThat(send("custom-key", "custom-value")).isEqualTo("be");
        assertThat(send("custom-key", "other")).startsWith("0088");
        assertThat(send("custom-key", "custom-value")).isEqualTo("be");
    }

    @Test
    void namesAreSentInLowerCase() {
        begin();
        Lines.put(encoder, "X-Custom", "A");
        Lines.put(encoder, "Content-Type", "A");
        assertThat(read()).isEqualTo("x-custom: A\ncontent-type: A\n");
    }

    @Test
    void namesMayBeLong() {
        String name = "content-security-policy-report-only-" + "x".repeat(100);
        assertThat(send(name, "a")).isNotEmpty();
        assertThat(send(name, "a")).isNotEmpty();
        assertThat(send(name, "a")).isEqualTo("be");
    }

    /// The array of a block grows wherever its end is.
    @ParameterizedTest
    @CsvSource({"a, 700", "|, 440"}) // shorter and longer in the code
    void blocksMayBeLong(String sign, int least) {
        for (int length = least; length < least + 150; length++) {
            HeaderBlock small = new HeaderBlock();
            HpackEncoder own = new HpackEncoder(small);
            own.begin(small);
            String value = sign.repeat(length);
            Lines.put(own, "x", value);
            Lines.put(own, "y", value);
            byte[] bytes = Arrays.copyOf(small.array(), small.length());
            assertThat(new Pieces(100_000).read(bytes, bytes.length))
                    .isEqualTo("x: " + value + "\ny: " + value + "\n");
        }
    }

    /// RFC 7541 §5.2: a flag says whether a string is coded.
    @Test
    void stringsAreCodedIfThatIsShorter() {
        assertThat(send("x-a", "{{{{")).endsWith("047b7b7b7b"); // 15 bits each
        assertThat(send("x-b", "aaaa")).endsWith("83" + "18c63f"); // 5 bits each
    }

    /// Two lines with one hash are two lines, whatever a client makes an application send.
    @Test
    void linesWithTheSameHashAreDistinguished() {
        int name = HpackEncoder.hash(1, new byte[] {'a'}, 0, 1);
        Map<Integer, String> values = new HashMap<>();
        String first = "";
        String second = "";
        for (int i = 0; first.isEmpty(); i++) { // about 100,000 times
            second = "value" + i;
            byte[] bytes = second.getBytes(StandardCharsets.US_ASCII);
            @Nullable String same =
                    values.put(HpackEncoder.hash(name, bytes, 0, bytes.length), second);
            first = same == null ? "" : same;
        }
        for (int i = 0; i < 3; i++) {
            begin();
            Lines.put(encoder, "a", first);
            Lines.put(encoder, "a", second);
            assertThat(read()).isEqualTo("a: " + first + "\na: " + second + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, 88",
        "204, 89",
        "206, 8a",
        "304, 8b",
        "400, 8c",
        "404, 8d",
        "500, 8e",
        "302, 08826402"
    })
    void statusIsShort(int code, String expected) {
        begin();
        encoder.status(code);
        assertThat(hex()).isEqualTo(expected);
        assertThat(read()).isEqualTo(":status: " + code + "\n");
    }

    @Test
    void linesOfTheStaticTableAreIndexedAtOnce() {
        assertThat(send(":method", "POST")).isEqualTo("83");
        assertThat(send(":path", "/index.html")).isEqualTo("85");
        assertThat(send("accept-encoding", "gzip, deflate")).isEqualTo("90");
    }

    /// RFC 7541 §7.1.3
    @ParameterizedTest
    @ValueSource(strings = {"set-cookie", "authorization", "proxy-authorization", "cookie"})
    void secretsAreNeverAdded(String name) {
        for (int i = 0; i < 3; i++) {
            assertThat(send(name, "a=1")).startsWith("1f");
        }
    }

    @Test
    void longCookieMayBeAdded() {
        String cookie = "session=01234567890123456789";
        send("cookie", cookie);
        send("cookie", cookie);
        assertThat(send("cookie", cookie)).isEqualTo("be");
    }

    @Test
    void tableFollowsTheLimitOfThePeer() {
        encoder.tableMax(0);
        assertThat(send("a", "b")).startsWith("20");
        assertThat(send("a", "b")).startsWith("40"); // empties the table
        assertThat(send("a", "b")).startsWith("40");
        encoder.tableMax(100);
        encoder.tableMax(64);
        encoder.tableMax(1 << 20);
        assertThat(send("a", "b")).startsWith("3fe11f"); // 4,096; it was 0 before
        encoder.tableMax(40);
        encoder.tableMax(4096);
        assertThat(send("a", "b")).startsWith("3f093fe11f"); // both, or the peer would keep entries
    }

    @Test
    void blockOfIndexedLinesIsSettled() {
        send("a", "b");
        assertThat(encoder.isSettled()).isFalse();
        send("a", "b");
        assertThat(encoder.isSettled()).isFalse(); // it was added
        int age = encoder.tableAge();
        send("a", "b");
        assertThat(encoder.isSettled()).isTrue();
        send("set-cookie", "a=1");
        assertThat(encoder.isSettled()).isTrue();
        assertThat(encoder.tableAge()).isEqualTo(age);
    }

    @Test
    void everythingIsReadAgain() {
        Random random = new Random(7541);
        for (int i = 0; i < 5000; i++) {
            if (random.nextInt(50) == 0) {
                int most = random.nextInt(3000);
                encoder.tableMax(most);
            }
            begin();
            StringBuilder sent = new StringBuilder();
            for (int k = random.nextInt(6); k > 0; k--) {
                String name = "name" + random.nextInt(10);
                String value = "v".repeat(random.nextInt(60)) + random.nextInt(8);
                Lines.put(encoder, name, value);
                sent.append(name).append(": ").append(value).append('\n');
            }
            assertThat(read()).isEqualTo(sent.toString());
        }
        assertThat(encoder.memoryBytes()).isLessThan(3 * 4096);
    }
}
