package dev.serval.conn;

import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.WireFormat;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes the heads of responses, as the payload of frames. It keeps the wire form of a head in the
/// head, as the codec of HTTP/1.1 does. Stateless.
final class ToyHeads {
    private static final WireFormat FORMAT = new WireFormat("toy");

    private ToyHeads() {}

    /// Returns the payload for a final response.
    static byte[] of(ResponseHead head) {
        byte @Nullable [] kept = head.wireForm(FORMAT);
        if (kept != null) {
            return kept;
        }
        boolean told =
                head.contentLength() != ResponseHead.UNKNOWN_LENGTH
                        && !head.status().withoutContent();
        String length = told ? "Content-Length: " + head.contentLength() + "\r\n" : "";
        byte[] made = bytes(head.status(), length + text(head.fields()));
        head.keepWireForm(FORMAT, made);
        return made;
    }

    /// Returns the payload for an interim response.
    static byte[] interim(Status status, Fields fields) {
        return bytes(status, text(fields));
    }

    /// Returns the fields as lines.
    static String text(Fields fields) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            lines.append(fields.name(i)).append(": ").append(fields.value(i)).append("\r\n");
        }
        return lines.toString();
    }

    private static byte[] bytes(Status status, String lines) {
        return (status.code() + "\r\n" + lines).getBytes(StandardCharsets.ISO_8859_1);
    }
}
