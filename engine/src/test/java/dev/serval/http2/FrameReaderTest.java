package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FrameReaderTest {
    private static final String SETTINGS = "000000 04 00 00000000";

    private static String read(String frames) {
        return Recorder.readInAllWays(HexFormat.of().parseHex(frames.replace(" ", "")));
    }

    private static String afterSettings(String frames) {
        String all = read(SETTINGS + frames);
        assertThat(all).startsWith("settings\n");
        return all.substring("settings\n".length());
    }

    @ParameterizedTest(name = "RFC 9113 §{0}: {1}")
    @CsvSource({
        "6.1, content, 000003 00 00 00000001 616263, data 1 3-0 616263",
        "6.1, the last content, 000001 00 01 00000003 61, data 3 1-0 61 last",
        "6.1, nothing, 000000 00 01 00000001, data 1 0-0  last",
        "6.1, padding, 000004 00 08 00000001 02 61 0000, data 1 4-3 61",
        "6.1, only padding, 000003 00 09 00000001 02 0000, data 1 3-3  last",
        "6.2, a head, 000002 01 04 00000001 8286, headers 1 8286 whole",
        "6.2, a head without content, 000001 01 05 00000001 82, headers 1 last 82 whole",
        "6.2, priority, 000006 01 24 00000003 80000001 10 82, headers 3 82 whole",
        "6.2, padding and priority, 000009 01 2c 00000003 02 80000001 10 82 0000, headers 3 82 whole",
        "6.2, an empty block, 000000 01 04 00000001, headers 1  whole",
        "6.3, priority, 000005 02 00 00000001 00000000 10, priority 1",
        "6.4, a reset, 000004 03 00 00000001 00000008, rstStream 1 8",
        "6.5, settings, 00000c 04 00 00000000 0004 00010000 0099 ffffffff,"
                + " setting 4=65536 setting 153=4294967295 settings",
        "6.5, their acknowledgement, 000000 04 01 00000000, settingsAck",
        "6.7, a ping, 000008 06 00 00000000 8123456789abcdef, ping 8123456789abcdef",
        "6.7, its answer, 000008 06 01 00000000 8123456789abcdef, ping ack 8123456789abcdef",
        "6.8, the end, 00000a 07 00 00000000 00000000 0000000b 6869, goAway 11",
        "6.9, a window, 000004 08 00 00000001 80000001, windowUpdate 1 1",
        "6.9, the window of all, 000004 08 00 00000000 7fffffff, windowUpdate 0 2147483647",
        "6.9, no increment, 000004 08 00 00000001 00000000, windowUpdate 1 0",
        "7.1 of RFC 9218, a new priority, 000007 10 00 00000000 80000003 753d31,"
                + " priorityUpdate 3 753d31",
        "7.1 of RFC 9218, the usual priority, 000004 10 00 00000000 00000003, 'priorityUpdate 3 '",
        "4.1, an unknown type, 000002 63 ff 00000001 1234, unknown",
        "4.1, an unknown type without payload, 000000 63 ff 00000000, unknown",
        "4.1, a reserved bit, 000001 00 00 80000001 61, data 1 1-0 61"
    })
    void reads(String section, String what, String frame, String expected) {
        assertThat(afterSettings(frame)).as(section + what).isEqualTo(expected + "\n");
    }

    @Test
    void headMayBeInSeveralFrames() {
        String frames =
                "000001 01 01 00000001 82 000001 09 00 00000001 86 000000 09 04 00000001"
                        + "000000 00 00 00000001";
        assertThat(afterSettings(frames))
                .isEqualTo(
                        "headers 1 last 82\ncontinuation 86\ncontinuation  whole\ndata 1 0-0 \n");
    }

    @ParameterizedTest(name = "RFC 9113 §{0}: {1}")
    @CsvSource({
        "4.2, a frame that is too large, 004001 00 00 00000001, FRAME_SIZE_ERROR",
        "4.2, settings that are too large, 004002 04 00 00000000, FRAME_SIZE_ERROR",
        "5.1.1, content of no stream, 000001 00 00 00000000 61, PROTOCOL_ERROR",
        "5.3.1, a stream that depends on itself, 000005 02 00 00000003 00000003 10, PROTOCOL_ERROR",
        "5.3.1, likewise in its head, 000006 01 24 00000003 80000003 10 82, PROTOCOL_ERROR",
        "6.1, padding without its length, 000000 00 08 00000001, FRAME_SIZE_ERROR",
        "6.1, padding of the whole frame, 000002 00 08 00000001 02 61, PROTOCOL_ERROR",
        "6.2, a head of no stream, 000001 01 04 00000000 82, PROTOCOL_ERROR",
        "6.2, padding of the whole head, 000002 01 0c 00000001 02 82, PROTOCOL_ERROR",
        "6.2, padding over the priority, 000007 01 2c 00000003 02 80000001 10 82, PROTOCOL_ERROR",
        "6.2, padding without its length, 000000 01 0c 00000001, FRAME_SIZE_ERROR",
        "6.2, half a priority, 000004 01 24 00000001 80000000, FRAME_SIZE_ERROR",
        "6.2, content within a head, 000001 01 00 00000001 82 000001 00 00 00000001 61, PROTOCOL_ERROR",
        "6.2, another head within a head, 000001 01 00 00000001 82 000001 01 04 00000003 82,"
                + " PROTOCOL_ERROR",
        "6.2, an unknown frame within a head, 000001 01 00 00000001 82 000000 63 00 00000001,"
                + " PROTOCOL_ERROR",
        "6.3, priority of no stream, 000005 02 00 00000000 00000001 10, PROTOCOL_ERROR",
        "6.3, half a priority, 000004 02 00 00000001 00000000, FRAME_SIZE_ERROR",
        "6.4, a reset of no stream, 000004 03 00 00000000 00000008, PROTOCOL_ERROR",
        "6.4, half a reset, 000003 03 00 00000001 000008, FRAME_SIZE_ERROR",
        "6.5, settings of a stream, 000000 04 00 00000001, PROTOCOL_ERROR",
        "6.5, half a setting, 000005 04 00 00000000 0004 000100, FRAME_SIZE_ERROR",
        "6.5, an acknowledgement with settings, 000006 04 01 00000000 0004 00010000,"
                + " FRAME_SIZE_ERROR",
        "6.6, a push, 000004 05 04 00000001 00000002, PROTOCOL_ERROR",
        "6.7, a ping of a stream, 000008 06 00 00000001 0000000000000000, PROTOCOL_ERROR",
        "6.7, half a ping, 000004 06 00 00000000 00000000, FRAME_SIZE_ERROR",
        "6.8, the end of a stream, 000008 07 00 00000001 0000000000000000, PROTOCOL_ERROR",
        "6.8, half an end, 000004 07 00 00000000 00000000, FRAME_SIZE_ERROR",
        "6.9, half a window, 000003 08 00 00000000 000001, FRAME_SIZE_ERROR",
        "7.1 of RFC 9218, a new priority of a stream's frame, 000004 10 00 00000001 00000001, PROTOCOL_ERROR",
        "7.1 of RFC 9218, half a stream number, 000003 10 00 00000000 000001, FRAME_SIZE_ERROR",
        "6.2, a new priority within a head, 000001 01 00 00000001 82 000004 10 00 00000000 00000001,"
                + " PROTOCOL_ERROR",
        "6.10, a continuation of nothing, 000001 09 04 00000001 82, PROTOCOL_ERROR",
        "6.10, a continuation of another head, 000001 01 00 00000001 82 000001 09 04 00000003 82,"
                + " PROTOCOL_ERROR"
    })
    void refuses(String section, String what, String frames, String expected) {
        assertThat(afterSettings(frames)).as(section + what).contains(expected + ": ");
    }

    @ParameterizedTest
    @CsvSource({
        "000008 06 00 00000000 0000000000000000",
        "000000 04 01 00000000",
        "000001 01 05 00000001 82",
        "000000 63 00 00000000"
    })
    void firstFrameMustBeSettings(String frame) {
        assertThat(read(frame)).startsWith("PROTOCOL_ERROR: the first frame is not SETTINGS");
    }

    @Test
    void frameOfTheLargestSizeIsRead() {
        byte[] bytes = new byte[9 + 9 + 16_384];
        bytes[3] = 4;
        bytes[9 + 1] = 0x40;
        bytes[9 + 8] = 1;
        assertThat(Recorder.read(bytes, bytes.length)).startsWith("settings\ndata 1 16384-0 0000");
        assertThat(Recorder.read(bytes, 100, 9000, bytes.length))
                .isEqualTo(Recorder.read(bytes, bytes.length));
    }

    @Test
    void incompleteFramesWait() {
        assertThat(read(SETTINGS + "000008 06 00 00000000 01")).endsWith("+10");
        assertThat(read(SETTINGS + "0000")).endsWith("+2");
        assertThat(read(SETTINGS + "000003 00 00 00000001 61")).endsWith("data 1 3-0 61");
    }
}
