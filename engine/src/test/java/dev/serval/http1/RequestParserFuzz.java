package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.Fields;
import dev.serval.http.Limits;
import dev.serval.http.Octets;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Whatever arrives as a request head: no exception, the same verdict at every cut, and nothing in
/// an accepted head that a later reader could take for something else.
final class RequestParserFuzz {
    private static final Limits.Heads LIMITS = new Limits.Heads(512, 1024, 16);

    @FuzzTest(maxDuration = "20s")
    void head(byte[] octets) {
        if (octets.length == 0) {
            return;
        }
        HeadReader reader = new HeadReader(LIMITS, Leniency.defaults());
        String whole = reader.read(octets, new int[] {octets.length});
        @Nullable ProtocolError error = reader.error();
        if (error != null) {
            assertThat(error.status().code()).isBetween(400, 505);
        } else if (reader.consumed() > 0) {
            checkAccepted(reader.head(), reader.consumed(), octets.length);
        }
        int half = octets.length / 2;
        int[] everyOctet = new int[octets.length];
        for (int i = 0; i < octets.length; i++) {
            everyOctet[i] = i + 1;
        }
        assertThat(reader.read(octets, everyOctet)).isEqualTo(whole);
        assertThat(reader.read(octets, new int[] {half, octets.length})).isEqualTo(whole);
    }

    private static void checkAccepted(RequestHead head, int consumed, int length) {
        assertThat(consumed).isLessThanOrEqualTo(length);
        assertThat(head.length()).isBetween(1, LIMITS.maxBytes());
        String path = head.target().path().text();
        assertThat(path).startsWith("/").doesNotContain("//", "\\", "\0");
        assertThat(path + "/").doesNotContain("/../", "/./");
        Fields fields = head.fields();
        assertThat(fields.size()).isLessThanOrEqualTo(LIMITS.fieldsMax());
        for (int i = 0; i < fields.size(); i++) {
            for (byte octet : fields.name(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(Octets.token(octet)).isTrue();
            }
            for (byte octet : fields.value(i).getBytes(StandardCharsets.ISO_8859_1)) {
                assertThat(Octets.field(octet)).isTrue();
            }
        }
    }
}
