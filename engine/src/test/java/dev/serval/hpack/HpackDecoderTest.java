package dev.serval.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class HpackDecoderTest {
    /// Blocks of one connection in a row.
    ///
    /// @param section the example of the RFC
    /// @param blocks in hexadecimal
    /// @param expected the fields of each block
    record Example(String section, List<String> blocks, List<String> expected) {
        @Override
        public String toString() {
            return "RFC 7541 §" + section;
        }
    }

    private static final String DATE = "Mon, 21 Oct 2013 20:13:2";

    static List<Example> requests() {
        List<String> requests =
                List.of(
                        """
                        :method: GET
                        :scheme: http
                        :path: /
                        :authority: www.example.com
                        """,
                        """
                        :method: GET
                        :scheme: http
                        :path: /
                        :authority: www.example.com
                        cache-control: no-cache
                        """,
                        """
                        :method: GET
                        :scheme: https
                        :path: /index.html
                        :authority: www.example.com
                        custom-key: custom-value
                        """);
        return List.of(
                new Example(
                        "C.2.1",
                        List.of("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"),
                        List.of("custom-key: custom-header\n")),
                new Example(
                        "C.2.2",
                        List.of("040c 2f73 616d 706c 652f 7061 7468"),
                        List.of(":path: /sample/path\n")),
                new Example(
                        "C.2.3",
                        List.of("1008 7061 7373 776f 7264 0673 6563 7265 74"),
                        List.of("password: secret\n")),
                new Example("C.2.4", List.of("82"), List.of(":method: GET\n")),
                new Example(
                        "C.3",
                        List.of(
                                "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
                                "8286 84be 5808 6e6f 2d63 6163 6865",
                                "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661"
                                        + " 6c75 65"),
                        requests),
                new Example(
                        "C.4",
                        List.of(
                                "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
                                "8286 84be 5886 a8eb 1064 9cbf",
                                "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"),
                        requests));
    }

    static List<Example> responses() {
        String rest =
                "cache-control: private\ndate: "
                        + DATE
                        + "1 GMT\nlocation: https://www.example.com\n";
        List<String> responses =
                List.of(
                        ":status: 302\n" + rest,
                        ":status: 307\n" + rest,
                        ":status: 200\ncache-control: private\ndate: "
                                + DATE
                                + "2 GMT\nlocation: https://www.example.com\n"
                                + "content-encoding: gzip\nset-cookie:"
                                + " foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1\n");
        return List.of(
                new Example(
                        "C.5",
                        List.of(
                                "3fe1 01" // the table of 256 bytes that the section assumes
                                        + "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032"
                                        + " 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d"
                                        + " 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65"
                                        + " 2e63 6f6d",
                                "4803 3330 37c1 c0bf",
                                "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133"
                                        + " 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153"
                                        + " 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745"
                                        + " 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572"
                                        + " 7369 6f6e 3d31"),
                        responses),
                new Example(
                        "C.6",
                        List.of(
                                "3fe1 01"
                                        + "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8"
                                        + " 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7"
                                        + " 8f0b 97c8 e9ae 82ae 43d3",
                                "4883 640e ffc1 c0bf",
                                "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff"
                                        + " c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b"
                                        + " 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0"
                                        + " 03ed 4ee5 b106 3d50 07"),
                        responses));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"requests", "responses"})
    void readsTheExamples(Example example) {
        Pieces whole = new Pieces();
        Pieces slow = new Pieces();
        for (int i = 0; i < example.blocks.size(); i++) {
            byte[] block = Pieces.hex(example.blocks.get(i));
            for (int cut = 1; cut < block.length; cut++) {
                Pieces twice = new Pieces();
                for (String earlier : example.blocks.subList(0, i)) {
                    byte[] bytes = Pieces.hex(earlier);
                    twice.read(bytes, bytes.length);
                }
                assertThat(twice.read(block, cut, block.length)).isEqualTo(example.expected.get(i));
            }
            assertThat(whole.read(block, block.length)).isEqualTo(example.expected.get(i));
            assertThat(slow.readSlowly(block)).isEqualTo(example.expected.get(i));
        }
    }

    @ParameterizedTest(name = "RFC 7541 §{0}: {1}")
    @CsvSource({
        "2.3.3, index 0, 80, INDEX",
        "2.3.3, index past both tables, be, INDEX",
        "2.3.3, name past both tables, 7e0161, INDEX",
        "3.1, only a name, 4003616263, CUT_SHORT",
        "3.1, half a value, 4001610562, CUT_SHORT",
        "3.1, half an integer, ff80, CUT_SHORT",
        "5.1, an integer of 35 bits, ff8080808001, INTEGER",
        "5.1, an endless integer, ff80808080808080, INTEGER",
        "5.1, zeros behind an integer, 'ff838000', INDEX",
        "5.2, a value with the end of string, 400161 84fffffffc, HUFFMAN",
        "5.2, a name with too long a padding, 40821fff0162, HUFFMAN",
        "6.3, a size past the limit, 3fe220, TABLE_SIZE",
        "6.3, a size after a field, 8220, TABLE_SIZE",
        "7.3, a string that is many times too long, 007fffff7f, BOMB"
    })
    void refuses(String section, String what, String hex, String expected) {
        byte[] block = Pieces.hex(hex);
        assertThat(new Pieces().read(block, block.length)).as(what).endsWith(expected);
        assertThat(new Pieces().readSlowly(block)).as(section).endsWith(expected);
    }

    @Test
    void integersMayHaveZerosBehind() {
        byte[] block = Pieces.hex("3fe0 8000 82"); // 31 + 96 = 127
        assertThat(new Pieces().read(block, block.length)).isEqualTo(":method: GET\n");
    }

    /// RFC 7541 §4.4
    @Test
    void entryLargerThanTheTableEmptiesIt() {
        Pieces pieces = new Pieces();
        byte[] two = Pieces.hex("3f09 4001610162 be"); // 40 bytes of table
        assertThat(pieces.read(two, two.length)).isEqualTo("a: b\na: b\n");
        byte[] large = Pieces.hex("400163 08 6464646464646464 be");
        assertThat(pieces.read(large, large.length)).isEqualTo("c: dddddddd\nINDEX");
    }

    /// RFC 7541 §4.4: the entry whose name is taken is the one that is evicted.
    @Test
    void nameOfAnEvictedEntryStays() {
        Pieces pieces = new Pieces();
        byte[] first = Pieces.hex("3f11 400a 6162636465666768696a 0162"); // 48 bytes
        assertThat(pieces.read(first, first.length)).isEqualTo("abcdefghij: b\n");
        for (String value : List.of("c", "d", "e")) {
            byte[] next =
                    Pieces.hex(
                            "7e01" + (value.equals("c") ? "63" : value.equals("d") ? "64" : "65"));
            String line = "abcdefghij: " + value + "\n";
            assertThat(pieces.read(next, next.length)).isEqualTo(line);
            byte[] again = Pieces.hex("be");
            assertThat(pieces.read(again, again.length)).isEqualTo(line);
        }
    }

    /// RFC 7541 §4.2
    @Test
    void loweredSizeMustBeAcknowledgedByTheNextBlock() {
        Pieces pieces = new Pieces();
        pieces.decoder().tableMax(31);
        byte[] get = Pieces.hex("82");
        assertThat(pieces.read(get, get.length)).isEqualTo("TABLE_NOT_CUT");
        Pieces other = new Pieces();
        other.decoder().tableMax(31);
        other.decoder().tableMax(100);
        byte[] wrong = Pieces.hex("3f45 82"); // only 100
        assertThat(other.read(wrong, wrong.length)).isEqualTo("TABLE_NOT_CUT");
        Pieces third = new Pieces();
        third.decoder().tableMax(31);
        third.decoder().tableMax(100);
        byte[] right = Pieces.hex("3f00 3f45 82"); // 31, then 100
        assertThat(third.read(right, right.length)).isEqualTo(":method: GET\n");
        assertThat(third.read(get, get.length)).isEqualTo(":method: GET\n");
    }

    /// RFC 7541 §6.3: any size up to the limit, which may be larger than the first one.
    @Test
    void raisedSizeMayBeUsed() {
        Pieces pieces = new Pieces();
        pieces.decoder().tableMax(65_536);
        byte[] raised = Pieces.hex("3fe1ff03 82");
        assertThat(pieces.read(raised, raised.length)).isEqualTo(":method: GET\n");
        byte[] wrong = Pieces.hex("3fe2ff03 82"); // 65,537
        assertThat(pieces.read(wrong, wrong.length)).isEqualTo("TABLE_SIZE");
    }

    /// It need not be used in steps, and may rise again after it was lowered.
    @Test
    void raisedSizeMayBeRaisedAgain() {
        Pieces pieces = new Pieces();
        pieces.decoder().tableMax(8_192);
        pieces.decoder().tableMax(65_536);
        byte[] raised = Pieces.hex("3fe1ff03 82");
        assertThat(pieces.read(raised, raised.length)).isEqualTo(":method: GET\n");
        pieces.decoder().tableMax(100);
        byte[] lowered = Pieces.hex("3f45 82");
        assertThat(pieces.read(lowered, lowered.length)).isEqualTo(":method: GET\n");
        pieces.decoder().tableMax(65_536);
        assertThat(pieces.read(raised, raised.length)).isEqualTo(":method: GET\n");
    }

    /// RFC 9113 §10.5.1: the table stays right, so the next block can be read.
    @Test
    void listThatIsTooLargeIsReadButNotPassedOn() {
        Pieces pieces = new Pieces(70); // 34 for each field
        byte[] two = Pieces.hex("4001610162 be");
        assertThat(pieces.read(two, two.length)).isEqualTo("a: b\na: b\n");
        byte[] three = Pieces.hex("be be 4001630164");
        assertThat(pieces.read(three, three.length)).isEqualTo("a: b\na: b\nTOO_LARGE");
        byte[] last = Pieces.hex("be");
        assertThat(pieces.read(last, last.length)).isEqualTo("c: d\n");
    }

    @Test
    void bombEndsAtFourTimesTheList() {
        Pieces pieces = new Pieces(68);
        byte[] eight = Pieces.hex("4001610162 be be be be be be be");
        assertThat(pieces.read(eight, eight.length)).isEqualTo("a: b\na: b\nTOO_LARGE");
        byte[] nine = Pieces.hex("be be be be be be be be be");
        assertThat(pieces.read(nine, nine.length)).isEqualTo("a: b\na: b\nBOMB");
    }
}
