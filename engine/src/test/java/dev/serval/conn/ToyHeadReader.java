package dev.serval.conn;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.Status;
import dev.serval.testkit.ToyHead.Name;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads the payload of a [ToyHead] into a request's head, pair by pair: a name may be in a table of
/// its own, and its value is elsewhere. Stateless.
final class ToyHeadReader {
    private static final Name[] NAMES = Name.values();
    private static final ProtocolError WRONG =
            new ProtocolError(Status.BAD_REQUEST, "the head breaks a rule", "ToyHead");

    private ToyHeadReader() {}

    /// Reads `bytes[at, end)`.
    ///
    /// @param hasContent whether content follows, as its frame says
    /// @return what is wrong with the head, or null
    static @Nullable ProtocolError read(
            byte[] bytes, int at, int end, boolean hasContent, RequestHeadWriter into) {
        @Nullable ProtocolError wrong = null;
        into.reset();
        int next = at;
        while (next < end) {
            Name name = NAMES[bytes[next++]];
            if (name == Name.OTHER) {
                int nameEnd = next + 1 + (bytes[next] & 0xff);
                into.name(FieldName.of(bytes, next + 1, nameEnd), bytes, next + 1, nameEnd);
                next = nameEnd;
            }
            int valueAt = next + 2;
            int valueEnd = valueAt + ((bytes[next] & 0xff) << 8 | (bytes[next + 1] & 0xff));
            @Nullable ProtocolError here = value(name, bytes, valueAt, valueEnd, into);
            wrong = wrong == null ? here : wrong;
            next = valueEnd;
        }
        long length = hasContent ? length(into.head().fields()) : 0;
        into.end(length, hasContent && expectsContinue(into.head().fields()));
        return wrong == null && length < RequestHead.UNKNOWN_LENGTH ? WRONG : wrong;
    }

    private static @Nullable ProtocolError value(
            Name name, byte[] bytes, int at, int end, RequestHeadWriter into) {
        switch (name) {
            case METHOD -> {
                return into.method(bytes, at, end, HttpVersion.HTTP_1_1) ? null : WRONG;
            }
            case SCHEME -> into.scheme(end - at == 5);
            case AUTHORITY -> into.authority(bytes, at, end);
            case PATH -> {
                return into.path(bytes, at, end);
            }
            case PROTOCOL -> into.connectProtocol(bytes, at, end);
            case CONTENT_LENGTH -> {
                byte[] text = name.text().getBytes(StandardCharsets.ISO_8859_1);
                into.name(FieldName.CONTENT_LENGTH, text, 0, text.length);
                into.value(bytes, at, end);
            }
            case OTHER -> into.value(bytes, at, end);
        }
        return null;
    }

    /// Returns the length that the head names, [RequestHead#UNKNOWN_LENGTH] if it names none, and
    /// less if it is no number.
    private static long length(Fields fields) {
        int length = fields.indexOf(FieldName.CONTENT_LENGTH, 0);
        if (length < 0) {
            return RequestHead.UNKNOWN_LENGTH;
        }
        long named = fields.number(length);
        return named < 0 ? RequestHead.UNKNOWN_LENGTH - 1 : named;
    }

    private static boolean expectsContinue(Fields fields) {
        int expect = fields.indexOf(FieldName.EXPECT, 0);
        return expect >= 0 && fields.valueIs(expect, "100-continue");
    }
}
