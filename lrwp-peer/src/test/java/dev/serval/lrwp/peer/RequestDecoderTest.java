package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.lrwp.peer.RequestDecoder.State;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestDecoderTest {
    private static final String EXAMPLE =
            "000000054REQUEST_METHOD=GET\0QUERY_STRING=a=b%20c\0PATH_INFO=/p\0\0" + "000000000";

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Reads one head in the given cuts and returns what came out of it.
    static String read(byte[] bytes, int... ends) {
        RequestDecoder decoder = new RequestDecoder(4096);
        int at = 0;
        for (int end : ends) {
            if (at < end) {
                at = decoder.decode(bytes, at, end);
            }
        }
        return decoder.state()
                + " used "
                + at
                + " body "
                + decoder.bodyBytes()
                + " "
                + decoder.fault()
                + " "
                + new String(decoder.environment(), StandardCharsets.ISO_8859_1);
    }

    /// Reads one head whole, cut at every place and byte by byte; the results must be equal.
    private static String readAllCuts(String text) {
        byte[] bytes = bytes(text);
        String whole = read(bytes, bytes.length);
        int[] every = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            every[i] = i + 1;
            assertThat(read(bytes, i, bytes.length)).as("cut at " + i).isEqualTo(whole);
        }
        assertThat(read(bytes, every)).isEqualTo(whole);
        return whole;
    }

    @Test
    void readsTheExampleAtEveryCut() {
        assertThat(readAllCuts(EXAMPLE))
                .startsWith("COMPLETE used 72 body 0 null REQUEST_METHOD=GET\0");
    }

    @Test
    void leavesTheBody() {
        assertThat(readAllCuts("000000004A=b\0" + "000000005hello"))
                .isEqualTo("COMPLETE used 22 body 5 null A=b\0");
    }

    @Test
    void readsEmptyEnvironment() {
        assertThat(readAllCuts("000000000000000007")).isEqualTo("COMPLETE used 18 body 7 null ");
    }

    @ParameterizedTest
    @ValueSource(strings = {" 00000054", "-00000054", "+00000054", "00000005x", "GET / HTTP/1.1"})
    void refusesLengthThatIsNotNineDigits(String text) {
        assertThat(readAllCuts(text)).startsWith("FAULTY").contains("length of the environment");
    }

    @Test
    void refusesBodyLengthThatIsNotNineDigits() {
        assertThat(readAllCuts("000000000 00000007"))
                .startsWith("FAULTY used 9")
                .contains("digit 1 of the length of the body");
    }

    @Test
    void limitsTheEnvironment() {
        assertThat(readAllCuts("000004096" + "x".repeat(4096) + "000000000"))
                .startsWith("COMPLETE");
        assertThat(readAllCuts("016777217")).startsWith("FAULTY").contains("at most 16777216");
        assertThat(readAllCuts("999999999")).startsWith("FAULTY");
    }

    @Test
    void skipsAnEnvironmentPastTheLimit() {
        RequestDecoder decoder = new RequestDecoder(4096);
        byte[] two =
                bytes(
                        "000004097"
                                + "x".repeat(4097)
                                + "000000000"
                                + "000000004A=b\0"
                                + "000000000");
        int at = 0;
        while (decoder.state() != State.COMPLETE) {
            at = decoder.decode(two, at, Math.min(at + 100, two.length));
        }
        assertThat(at).isEqualTo(4115);
        assertThat(decoder.isTooLarge()).isTrue();
        decoder.reset();
        assertThat(decoder.decode(two, at, two.length)).isEqualTo(two.length);
        assertThat(decoder.isTooLarge()).isFalse();
        assertThat(new Environment(decoder.environment()).value("A")).isEqualTo("b");
    }

    @Test
    void takesTheLargestBody() {
        assertThat(readAllCuts("000000000999999999")).contains("body 999999999");
    }

    @Test
    void skipsMarkOnceBeforeTheFirstRequest() {
        assertThat(readAllCuts("\u00FF000000000000000007"))
                .isEqualTo("COMPLETE used 19 body 7 null ");
        assertThat(readAllCuts("\u00FF\u00FF")).startsWith("FAULTY used 1");
        RequestDecoder decoder = new RequestDecoder(4096);
        byte[] request = bytes("000000000000000000");
        decoder.decode(request, 0, request.length);
        decoder.reset();
        decoder.decode(bytes("\u00FF"), 0, 1);
        assertThat(decoder.state()).isEqualTo(State.FAULTY);
    }

    @Test
    void readsOneRequestAfterAnother() {
        RequestDecoder decoder = new RequestDecoder(4096);
        byte[] two = bytes("000000004A=b\0" + "000000000" + "000000004C=d\0" + "000000001!");
        int at = decoder.decode(two, 0, two.length);
        assertThat(at).isEqualTo(22);
        assertThat(new Environment(decoder.environment()).value("A")).isEqualTo("b");
        decoder.reset();
        assertThat(decoder.isUntouched()).isTrue();
        assertThat(decoder.decode(two, at, two.length)).isEqualTo(two.length - 1);
        assertThat(new Environment(decoder.environment()).value("C")).isEqualTo("d");
        assertThat(decoder.bodyBytes()).isEqualTo(1);
    }

    @Test
    void environmentHasValues() {
        Environment environment = new Environment(bytes("A=1=2\0AB=\0B\0=x\0A=3\0LAST=z"));
        assertThat(environment.value("A")).isEqualTo("1=2");
        assertThat(environment.value("AB")).isEmpty();
        assertThat(environment.value("B")).isNull();
        assertThat(environment.value("LAST")).isEqualTo("z");
        assertThat(environment.value("LAST2")).isNull();
        assertThat(List.copyOf(environment.all().entrySet()))
                .containsExactly(
                        Map.entry("A", "1=2"), Map.entry("AB", ""), Map.entry("LAST", "z"));
    }

    @Test
    void writesLengthsOfNineDigitsAndNoLonger() {
        byte[] digits = new byte[RequestDecoder.DIGITS];
        RequestDecoder.putLength(digits, 0, 999_999_999);
        assertThat(digits).isEqualTo(bytes("999999999"));
        assertThatThrownBy(() -> RequestDecoder.putLength(digits, 0, 1_000_000_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("999999999");
    }
}
