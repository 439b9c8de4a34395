package dev.serval.conn;

import static dev.serval.conn.ProxyHeaders.FOUR;
import static dev.serval.conn.ProxyHeaders.SIX;
import static dev.serval.conn.ProxyHeaders.ascii;
import static dev.serval.conn.ProxyHeaders.tlv;
import static dev.serval.conn.ProxyHeaders.two;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each header is read whole, byte by byte, and cut at every place, with the same result.
final class ProxyHeaderReaderTest {
    private static final String NO_HEADER =
            "wrong: the connection does not begin with a PROXY header";
    private static final String BAD_LINE = "wrong: the line of version 1 is malformed";
    private static final String BAD_LENGTH =
            "wrong: the length does not fit what the header contains";
    private static final String BAD_FAMILY = "wrong: the address family or the protocol is unknown";
    private static final String BAD_VERSION = "wrong: the version or the command is unknown";
    private static final String OWN = "null to null";
    private static final String FOUR_TEXT = "/203.0.113.7:4000 to /192.0.2.1:443";
    private static final String SIX_TEXT =
            "/[2001:db8:0:0:0:0:0:7]:4000 to /[2001:db8:0:0:0:0:0:1]:443";
    private static final String LONGEST =
            "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535 ";

    static List<Arguments> lines() {
        return List.of(
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 4000 443", FOUR_TEXT),
                arguments(
                        "PROXY TCP4 255.255.255.255 0.0.0.0 65535 0",
                        "/255.255.255.255:65535 to /0.0.0.0:0"),
                arguments("PROXY TCP6 2001:db8::7 2001:DB8::1 4000 443", SIX_TEXT),
                arguments("PROXY UNKNOWN", OWN),
                arguments("PROXY UNKNOWN ffff::1 ffff::2 65535 65535", OWN),
                arguments("PROXY UNKNOWN any  thing", OWN),
                arguments(LONGEST + "x".repeat(105 - LONGEST.length()), OWN),
                arguments("PROXY UNKNOWNS", BAD_LINE),
                arguments("PROXY TCP5 203.0.113.7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY tcp4 203.0.113.7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY  TCP4 203.0.113.7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY TCP4  203.0.113.7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 4000 443 ", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 4000 443 1", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 4000", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1", BAD_LINE),
                arguments("PROXY TCP4 ", BAD_LINE),
                arguments("PROXY ", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 4000 65536", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.7 192.0.2.1 04000 443", BAD_LINE),
                arguments("PROXY TCP4 203.0.113.07 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY TCP4 2001:db8::7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY TCP6 203.0.113.7 192.0.2.1 4000 443", BAD_LINE),
                arguments("PROXY\tTCP4 203.0.113.7 192.0.2.1 4000 443", NO_HEADER),
                arguments("GET / HTTP/1.1", NO_HEADER),
                arguments("PUT / HTTP/1.1", NO_HEADER));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void readsTheLineOfVersion1(String line, String result) {
        assertThat(readInAllWays(ascii(line + "\r\n"))).isEqualTo(result);
    }

    @Test
    void lineHasAtMost107Bytes() {
        String long108 = LONGEST + "x".repeat(106 - LONGEST.length()) + "\r\n";
        assertThat(readInAllWays(ascii(long108)))
                .isEqualTo("wrong: the line has more than 107 bytes");
    }

    @Test
    void lineEndsWithBothSigns() {
        assertThat(readInAllWays(ascii("PROXY UNKNOWN\rx"))).isEqualTo(BAD_LINE);
        assertThat(readInAllWays(ascii("PROXY UNKNOWN\n" + "x".repeat(200))))
                .isEqualTo("wrong: the line has more than 107 bytes");
    }

    static Stream<Arguments> blocks() {
        String unix = "2f61".repeat(108);
        return Stream.of(
                arguments("IPv4", two("21", "11", FOUR), FOUR_TEXT),
                arguments("IPv4, datagrams", two("21", "12", FOUR), FOUR_TEXT),
                arguments("IPv6", two("21", "21", SIX), SIX_TEXT),
                arguments("Unix", two("21", "31", unix), " to "),
                arguments("no addresses", two("21", "00", ""), OWN),
                arguments("no addresses, but bytes", two("21", "00", FOUR + "03"), OWN),
                arguments("LOCAL", two("20", "00", ""), OWN),
                arguments("LOCAL discards all", two("20", "ff", FOUR + "0300"), OWN),
                arguments(
                        "TLVs",
                        two("21", "11", FOUR + tlv("01", "6832") + tlv("ee", "")),
                        FOUR_TEXT),
                arguments("checksum", ProxyHeaders.summed(), FOUR_TEXT),
                arguments(
                        "wrong checksum",
                        two("21", "11", FOUR + tlv("03", "01020304")),
                        "wrong: the checksum is wrong"),
                arguments(
                        "two checksums",
                        two("21", "11", FOUR + tlv("03", "01020304") + tlv("03", "01020304")),
                        BAD_LENGTH),
                arguments(
                        "short checksum", two("21", "11", FOUR + tlv("03", "010203")), BAD_LENGTH),
                arguments("TLV past the end", two("21", "11", FOUR + "01000368"), BAD_LENGTH),
                arguments("half a TLV", two("21", "11", FOUR + "0100"), BAD_LENGTH),
                arguments("short IPv4", two("21", "11", FOUR.substring(2)), BAD_LENGTH),
                arguments("short IPv6", two("21", "21", SIX.substring(2)), BAD_LENGTH),
                arguments("short Unix", two("21", "31", unix.substring(2)), BAD_LENGTH),
                arguments("version 1", two("11", "11", FOUR), BAD_VERSION),
                arguments("version 3", two("31", "11", FOUR), BAD_VERSION),
                arguments("command 2", two("22", "11", FOUR), BAD_VERSION),
                arguments("family 4", two("21", "41", FOUR), BAD_FAMILY),
                arguments("family without protocol", two("21", "10", FOUR), BAD_FAMILY),
                arguments("protocol without family", two("21", "01", FOUR), BAD_FAMILY),
                arguments("protocol 3", two("21", "13", FOUR), BAD_FAMILY));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("blocks")
    void readsTheBlockOfVersion2(String name, byte[] header, String result) {
        assertThat(readInAllWays(header)).as(name).isEqualTo(result);
    }

    @Test
    void anyWrongBitIsFoundByTheChecksum() {
        byte[] header = ProxyHeaders.summed();
        for (int at = 16; at < 16 + 12; at++) { // in the addresses
            byte[] broken = header.clone();
            broken[at] ^= 1;
            assertThat(read(broken, new int[] {broken.length}))
                    .as("byte %d", at)
                    .isEqualTo("wrong: the checksum is wrong");
        }
    }

    /// All TLVs together may fill what a length can say. Of them, nothing waits.
    @Test
    void longestHeaderIsUsedAsItArrives() {
        String rest = tlv("04", "00".repeat(65_535 - 12 - 3));
        byte[] header = two("21", "11", FOUR + rest);
        assertThat(header).hasSize(65_551);
        ProxyHeaderReader reader = new ProxyHeaderReader();
        int used = reader.read(header, 0, 30_000);
        assertThat(used).isEqualTo(30_000);
        used += reader.read(header, used, header.length);
        assertThat(used).isEqualTo(header.length);
        assertThat(reader.isDone()).isTrue();
    }

    @Test
    void signatureThatDiffersInAnyByteIsNoHeader() {
        for (int at = 0; at < 12; at++) {
            byte[] broken = two("21", "11", FOUR);
            broken[at] ^= 1;
            assertThat(read(broken, new int[] {at + 1}))
                    .as("at byte %d, without waiting for more", at)
                    .isEqualTo(NO_HEADER);
        }
    }

    /// Reads a header that bytes follow, which must not be used.
    private static String readInAllWays(byte[] header) {
        byte[] bytes = Arrays.copyOf(header, header.length + 3);
        String whole = read(bytes, new int[] {bytes.length});
        assertThat(read(bytes, new int[] {header.length})).isEqualTo(whole);
        int[] single = new int[header.length];
        Arrays.setAll(single, i -> i + 1);
        assertThat(read(bytes, single)).as("byte by byte").isEqualTo(whole);
        for (int cut = 1; cut < header.length; cut++) {
            assertThat(read(bytes, new int[] {cut, bytes.length}))
                    .as("cut at %d", cut)
                    .isEqualTo(whole);
        }
        return whole;
    }

    private static String read(byte[] bytes, int[] ends) {
        ProxyHeaderReader reader = new ProxyHeaderReader();
        int at = 0;
        for (int end : ends) {
            at += reader.read(bytes, at, end);
        }
        if (reader.isWrong()) {
            return "wrong: " + reader.fault();
        }
        if (!reader.isDone()) {
            return "incomplete";
        }
        assertThat(at).as("bytes used").isLessThanOrEqualTo(bytes.length);
        return reader.source() + " to " + reader.destination();
    }
}
