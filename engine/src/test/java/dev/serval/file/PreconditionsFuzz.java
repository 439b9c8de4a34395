package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.handler.RecordingExchange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;

/// Tests with arbitrary conditional fields, including dates and lists of tags, that there is one
/// complete answer and no exception.
@Tag("fuzz")
final class PreconditionsFuzz {
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.US_ASCII);
    private static final Representation FILE =
            new Representation(
                    new Representation.InMemory(CONTENT),
                    "text/plain",
                    EntityTag.strong(CONTENT),
                    784_111_777,
                    true,
                    true);
    private static final String[] NAMES = {
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"
    };

    @FuzzTest(maxDuration = "10s")
    void answersOnce(FuzzedDataProvider data) {
        String name = data.pickValue(NAMES);
        String value = fieldValue(data.consumeRemainingAsBytes());
        RecordingExchange x = RecordingExchange.get("/", name + ": " + value, "Range: bytes=2-3");

        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        boolean answered =
                new Responder(InstantSource.fixed(now)).answer(x, FILE, FileHandler::busy);

        assertThat(answered).isTrue();
        assertThat(x.ended()).isTrue();
        assertThat(x.status()).isIn(200, 206, 304, 412);
    }

    /// Returns a valid field value: no control characters, and no white space around it.
    private static String fieldValue(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if ((bytes[i] >= 0 && bytes[i] < ' ') || bytes[i] == 0x7f) {
                bytes[i] = ' ';
            }
        }
        return new String(bytes, StandardCharsets.ISO_8859_1).strip();
    }
}
