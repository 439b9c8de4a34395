package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import java.util.ArrayList;
import java.util.List;

/// Reads `multipart/byteranges` (RFC 9110 §14.6) as a client does, for tests.
final class MultipartReader {
    private MultipartReader() {}

    /// Returns the ranges of the parts after checking each part against `content`.
    static String read(RecordingExchange x, String content) {
        String type = String.valueOf(x.answered(FieldName.CONTENT_TYPE));
        assertThat(type).startsWith("multipart/byteranges; boundary=");
        String boundary = "--" + type.substring(type.indexOf('=') + 1);
        String[] parts = ("\r\n" + x.contentText()).split("\r\n" + boundary, -1);
        assertThat(parts[parts.length - 1]).isEqualTo("--\r\n");
        List<String> ranges = new ArrayList<>();
        for (int i = 1; i < parts.length - 1; i++) {
            int end = parts[i].indexOf("\r\n\r\n");
            String head = parts[i].substring(0, end);
            assertThat(head).contains("\r\nContent-Type: text/plain\r\n");
            int at = head.indexOf("\r\nContent-Range: ") + 17;
            ranges.add(RangesTest.part(head.substring(at), parts[i].substring(end + 4), content));
        }
        assertThat(ranges).hasSizeGreaterThan(1); // §15.3.7.2
        return String.join(" ", ranges);
    }
}
