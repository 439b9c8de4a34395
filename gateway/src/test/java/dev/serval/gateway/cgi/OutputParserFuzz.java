package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import dev.serval.http.Fields;
import java.util.stream.IntStream;

/// Any output: there is no exception, the result is the same at every cut, and no field of the
/// result can end a line.
final class OutputParserFuzz {
    private static final OutputLimits LIMITS = new OutputLimits(256, 8);

    @FuzzTest(maxDuration = "20s")
    void strict(byte[] bytes) {
        check(bytes, OutputMode.STRICT);
    }

    @FuzzTest(maxDuration = "20s")
    void lenient(byte[] bytes) {
        check(bytes, OutputMode.LENIENT);
    }

    private static void check(byte[] bytes, OutputMode mode) {
        OutputParser parser = new OutputParser(LIMITS, mode);
        String whole = OutputReader.read(parser, bytes, new int[] {bytes.length});
        int[] each = IntStream.rangeClosed(1, bytes.length).toArray();
        assertThat(OutputReader.read(parser, bytes, each)).isEqualTo(whole);
        if (parser.error() != null) {
            return;
        }
        Fields fields = parser.fields();
        for (int i = 0; i < fields.size(); i++) {
            for (int at = fields.valueAt(i); at < fields.valueEnd(i); at++) {
                assertThat(ByteRules.field(fields.buffer()[at])).isTrue();
            }
        }
    }
}
