package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.cgi.Cuts;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The startup message (facts §1.2, §1.3). `|` stands for 255 in the samples.
final class StartupTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "app||; 1 /app ",
                "/app||; 1 /app ",
                "app/||; 1 /app ",
                "app|www|; 1 /app www",
                "app|WWW.Example|; 1 /app www.example",
                "app|www.example.|; 1 /app www.example",
                "several/parts||; 1 /several/parts ",
                ".abc||; 1 .abc ",
                "/||; 1  ",
                "|2.0|app||; 2 /app ",
                "|2.9|app|www|; 2 /app www",
                "|1.0|app||; 1 /app ",
            })
    void readsRegistrations(String sample, String expected) {
        assertThat(read(sample).strip()).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "||",
                "|||",
                "|2.0|||",
                "|2.0",
                "|20|app||",
                "|x.0|app||",
                "app|w w|",
                "app|.|",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "\u0016\u0003\u0001\u0002",
                "a\u0001b||",
                "\u00e9||",
            })
    void refusesMalformedMessages(String sample) {
        assertThat(read(sample)).isEqualTo("Malformed startup string");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/../b||",
                "..||",
                "a//b||",
                "./a||",
                ".a/b||",
                "a\\b||",
                "|2.0|a/../b||",
            })
    void refusesNamesThatNoPathHas(String sample) {
        assertThat(read(sample))
                .isEqualTo(
                        "Malformed startup string: no path of a request has this name, because the"
                                + " server removes empty and dot segments and refuses backslashes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2fb||", "a%20b||", "a%41||", "%2E%2E||", ".%61bc||", "a/%C3%a9||"})
    void refusesNamesThatDecodingWouldChange(String sample) {
        assertThat(read(sample))
                .isEqualTo(
                        "Malformed startup string: the name has a percent-encoding, but paths are"
                                + " compared decoded");
    }

    @Test
    void takesAPercentSignThatEncodesNothing() {
        assertThat(read("100%||")).startsWith("1 /100%");
        assertThat(read("5%of||")).startsWith("1 /5%of");
        assertThat(read("a%2||")).startsWith("1 /a%2");
    }

    @Test
    void refusesUnknownVersion() {
        assertThat(read("|3.0|app||")).isEqualTo("Unknown LRWP version");
    }

    @Test
    void takesComponentsOf200BytesAndRefuses201() {
        assertThat(read("a".repeat(200) + "||")).startsWith("1 /aaa");
        assertThat(read("a".repeat(201) + "||")).isEqualTo("Registration component too long");
        assertThat(read("a|" + "h".repeat(200) + "|")).endsWith("hhh");
        assertThat(read("a|" + "h".repeat(201) + "|")).isEqualTo("Registration component too long");
    }

    @Test
    void refusesMessageWithoutSeparatorAtTheLimit() {
        Startup startup = new Startup(16);
        byte[] some = Messages.bytes("0123456789abcdef");
        assertThat(startup.take(some, 0, 15)).isEqualTo(Startup.Outcome.MORE);
        assertThat(startup.take(some, 15, 16)).isEqualTo(Startup.Outcome.REFUSED);
    }

    @Test
    void takesUtf8Names() {
        String utf8 = new String("é".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertThat(read(utf8 + "||")).startsWith("1 /é");
    }

    private static String read(String sample) {
        return Cuts.read(Messages.bytes(sample.replace('|', '\u00ff')), StartupTest::outcome);
    }

    private static String outcome(byte[] bytes, int[] ends) {
        Startup startup = new Startup(1024);
        Startup.Outcome outcome = Startup.Outcome.MORE;
        int at = 0;
        for (int end : ends) {
            if (outcome == Startup.Outcome.MORE) {
                outcome = startup.take(bytes, at, end);
            }
            at = end;
        }
        if (outcome == Startup.Outcome.MORE) {
            outcome = startup.end();
        }
        if (outcome == Startup.Outcome.REFUSED) {
            return startup.refusal();
        }
        Registration read = startup.registration();
        return (read.second() ? "2 " : "1 ")
                + new String(read.prefix(), StandardCharsets.UTF_8)
                + " "
                + read.host();
    }
}
