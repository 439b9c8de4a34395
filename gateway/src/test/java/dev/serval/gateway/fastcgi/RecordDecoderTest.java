package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.cgi.Cuts;
import dev.serval.gateway.output.OutputEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordDecoderTest {
    @Test
    void readsOutputErrorsAndEnd() {
        byte[] bytes =
                new Records()
                        .out("Status: 200\r\n\r\nhello, world")
                        .err("a warning")
                        .out("")
                        .record(RecordType.STDOUT, Cuts.bytes("more"), 5)
                        .record(RecordType.END_REQUEST, new byte[] {0, 0, 1, 2, 0, 0, 0, 0}, 3)
                        .bytes();
        assertThat(Cuts.read(bytes, Records::read))
                .isEqualTo("Status: 200\r\n\r\nhello, worldmore/a warning/end 258 COMPLETE/0");
    }

    @Test
    void leavesBytesAfterTheEnd() {
        byte[] bytes = new Records().end(0, 0).out("unasked").bytes();
        assertThat(Records.read(bytes, new int[] {bytes.length})).isEqualTo("//end 0 COMPLETE/15");
    }

    @Test
    void tellsOverload() {
        byte[] bytes = new Records().end(0, 2).bytes();
        assertThat(Cuts.read(bytes, Records::read)).isEqualTo("//end 0 OVERLOADED/0");
    }

    @Test
    void refusesBrokenRecords() {
        assertWrong(new Records().raw(2, 6, 1, new byte[1], 0), "another version");
        assertWrong(new Records().raw(1, 6, 2, new byte[1], 0), "belongs to no request");
        assertWrong(new Records().raw(1, 6, 256, new byte[1], 0), "belongs to no request");
        assertWrong(new Records().raw(1, 6, 0, new byte[1], 0), "belongs to no request");
        assertWrong(new Records().record(5, new byte[1], 0), "unexpected type");
        assertWrong(new Records().record(11, new byte[8], 0), "unexpected type");
        assertWrong(new Records().record(3, new byte[7], 0), "wrong length");
        assertWrong(new Records().record(3, new byte[0], 0), "wrong length");
    }

    @Test
    void servesAnotherAnswerAfterReset() {
        RecordDecoder decoder = new RecordDecoder();
        byte[] bytes = new Records().end(0, 0).bytes();
        for (int i = 0; i < 2; i++) {
            decoder.reset();
            assertThat(decoder.next(bytes, 0, bytes.length, 100)).isEqualTo(OutputEvent.END);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {127, 128, 255})
    void skipsPaddingOfAnyLength(int padding) {
        byte[] bytes =
                new Records()
                        .record(RecordType.STDOUT, Cuts.bytes("one"), padding)
                        .record(RecordType.STDOUT, Cuts.bytes("two"), padding)
                        .end(0, 0)
                        .bytes();
        assertThat(Cuts.read(bytes, Records::read)).isEqualTo("onetwo//end 0 COMPLETE/0");
    }

    @Test
    void resetInsideOfRecordHeadForgetsIt() {
        RecordDecoder decoder = new RecordDecoder();
        byte[] bytes = new Records().end(0, 0).bytes();
        for (int cut = 1; cut < bytes.length; cut++) {
            decoder.reset();
            OutputEvent event = OutputEvent.MORE;
            for (int at = 0; at < cut; at++) { // byte by byte, as a slow peer sends
                event = decoder.next(bytes, at, at + 1, 100);
            }
            assertThat(event).isEqualTo(OutputEvent.MORE);
            decoder.reset();
            assertThat(decoder.next(bytes, 0, bytes.length, 100)).isEqualTo(OutputEvent.END);
        }
    }

    private static void assertWrong(Records records, String what) {
        assertThat(Cuts.read(records.bytes(), Records::read)).contains("502").contains(what);
    }
}
