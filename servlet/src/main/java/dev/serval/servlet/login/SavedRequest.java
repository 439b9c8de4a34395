package dev.serval.servlet.login;

import dev.serval.codec.CodecKey;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request that waits until its user has logged in by form. Immutable.
///
/// @param method as the client sent it
/// @param target the path as it was sent, and the query
/// @param lines its fields
/// @param content its whole content, which the caller must not change any more
@SuppressWarnings("ArrayRecordComponent") // never compared
record SavedRequest(String method, String target, List<Line> lines, byte[] content) {
    private static final String GET = "GET";
    private static final int OBJECTS_BYTES = 512; // of a request without fields, with its key
    private static final int LINE_BYTES = 128;

    /// The fields that belong to a connection, or to the request that continues this one.
    private static final Set<String> OF_ONE_REQUEST =
            Set.of(
                    "authorization",
                    "connection",
                    "content-length",
                    "cookie",
                    "expect",
                    "host",
                    "keep-alive",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /// A field.
    record Line(String name, String value) {}

    SavedRequest {
        lines = List.copyOf(lines);
    }

    /// Returns a request of which only the target is kept. It continues as a GET.
    static SavedRequest ofTarget(String target) {
        return new SavedRequest(GET, target, List.of(), new byte[0]);
    }

    /// Returns whether more than the target is kept.
    boolean hasContent() {
        return !method.equals(GET); // the content of a GET has no meaning (RFC 9110 §9.3.1)
    }

    /// Returns the fields that a saved request keeps.
    static List<Line> kept(Fields fields) {
        return lines(fields, false);
    }

    private static List<Line> lines(Fields fields, boolean ofOneRequest) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            if (OF_ONE_REQUEST.contains(name.toLowerCase(Locale.ROOT)) == ofOneRequest) {
                lines.add(new Line(name, fields.value(i)));
            }
        }
        return lines;
    }

    /// Returns the size in bytes of what is kept in memory, about. It has a lower bound, or small
    /// requests could fill the memory.
    int bytes() {
        int sum = OBJECTS_BYTES + content.length + 2 * (method.length() + target.length());
        for (Line line : lines) {
            sum += LINE_BYTES + 2 * (line.name().length() + line.value().length());
        }
        return sum;
    }

    /// Returns the head of this request as it continues.
    ///
    /// @param carrier the request that the client has sent in its place, whose cookies and host
    ///     count
    /// @return null if it cannot be made
    @Nullable RequestHead head(RequestHead carrier) {
        Bytes bytes = new Bytes();
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        bytes.add(method);
        @Nullable Method known =
                Method.of(method.getBytes(StandardCharsets.ISO_8859_1), 0, method.length());
        if (known == null || known == Method.OTHER) {
            writer.otherMethod(0, method.length(), HttpVersion.HTTP_1_1);
        } else {
            writer.line(known, HttpVersion.HTTP_1_1);
        }
        int targetAt = bytes.size();
        bytes.add(target);
        int targetEnd = bytes.size();
        for (Line line : lines) {
            bytes.field(writer, line.name(), line.value());
        }
        for (Line line : lines(carrier.fields(), true)) {
            String name = line.name().toLowerCase(Locale.ROOT);
            if (name.equals("cookie") || name.equals("host")) {
                bytes.field(writer, line.name(), line.value());
            }
        }
        bytes.field(writer, "Content-Length", String.valueOf(content.length));
        byte[] all = bytes.toByteArray();
        int query = target.indexOf('?');
        @Nullable ProtocolError wrong =
                writer.origin(all, targetAt, targetEnd, query < 0 ? -1 : targetAt + query + 1);
        if (wrong != null) {
            return null;
        }
        RequestHead head = writer.head();
        writer.content(content.length, false, head.fields().indexOf(FieldName.HOST, 0));
        writer.keep(all, 0, all.length);
        return head;
    }

    /// The bytes of a head, which need no separators, because the marks tell the parts.
    private static final class Bytes extends ByteArrayOutputStream {
        void add(String text) {
            writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        void field(RequestHeadWriter writer, String name, String value) {
            int nameAt = size();
            add(name);
            int valueAt = size();
            add(value);
            writer.fields().mark(FieldName.of(name), nameAt, valueAt, valueAt, size());
        }
    }
}
