package dev.serval.gateway.cgi;

import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads a whole output as a client of [OutputParser] does, and tells the result in words.
final class OutputReader {
    private OutputReader() {}

    static String read(OutputParser parser, byte[] bytes, int[] ends) {
        parser.reset();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int at = 0;
        for (int end : ends) {
            while (at < end && !parser.isComplete() && parser.error() == null) {
                at += parser.take(bytes, at, end);
            }
            if (parser.error() != null) {
                break;
            }
            content.write(bytes, at, end - at);
            at = end;
        }
        parser.end();
        @Nullable ProtocolError error = parser.error();
        if (error != null) {
            return error.status().code() + " " + error.what();
        }
        return parser.status().code()
                + " "
                + text(parser.fields())
                + "| "
                + new String(
                        parser.earlyContent(), 0, parser.earlyLength(), StandardCharsets.ISO_8859_1)
                + content.toString(StandardCharsets.ISO_8859_1);
    }

    private static String text(Fields fields) {
        return fields.toString().replace("\n", " ");
    }
}
