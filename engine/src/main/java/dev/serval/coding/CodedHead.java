package dev.serval.coding;

import dev.serval.http.FieldChanges;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides whether a response is compressed, by its head and that of the request, and changes the
/// head. Stateless.
public final class CodedHead {
    /// What becomes of a response.
    public enum Choice {
        /// It is sent as it is.
        UNTOUCHED,
        /// It is sent as it is, to this client (RFC 9110 §12.5.5).
        VARIES,
        /// It is compressed.
        GZIP,
        /// It is a 304 about a response that may have been compressed.
        NOT_MODIFIED
    }

    private static final String ACCEPT_ENCODING = FieldName.ACCEPT_ENCODING.text();
    private static final String WEAK = "W/";
    private static final byte[] NO_TRANSFORM = bytes("no-transform");
    private static final byte[] ACCEPT_ENCODING_BYTES = bytes("accept-encoding");

    /// The fields whose values are about the bytes of the content (RFC 9530, RFC 1864).
    private static final List<String> DIGESTS =
            List.of("Content-Digest", "Repr-Digest", "Digest", "Content-MD5");

    private CodedHead() {}

    /// Chooses what becomes of a response.
    public static Choice of(ResponseHead head, RequestHead request, Compression compression) {
        if (head.status().equals(Status.NOT_MODIFIED)) {
            return ofNotModified(head, request, compression);
        }
        if (head.status().equals(Status.PARTIAL_CONTENT)) {
            return isOfVaried(head, compression) ? Choice.VARIES : Choice.UNTOUCHED;
        }
        if (!mayBeCoded(head, compression)) {
            return Choice.UNTOUCHED;
        }
        return accepts(request) ? Choice.GZIP : Choice.VARIES;
    }

    /// Chooses for a 304, which has the Vary of the 200 (RFC 9110 §15.4.5). It rarely tells the type of
    /// the content.
    private static Choice ofNotModified(
            ResponseHead head, RequestHead request, Compression compression) {
        boolean mayVary =
                !head.fields().contains(FieldName.CONTENT_TYPE) || hasType(head, compression);
        if (!mayVary || isForbidden(head)) {
            return Choice.UNTOUCHED;
        }
        return accepts(request) && !hasUncoded(head, request) ? Choice.NOT_MODIFIED : Choice.VARIES;
    }

    /// Returns whether the 200 of a 206 would have Vary, so that the 206 must have it (RFC 9110 §15.3.7).
    /// Several parts do not tell the type of the content.
    private static boolean isOfVaried(ResponseHead head, Compression compression) {
        return !isForbidden(head)
                && (hasType(head, compression) || FieldChanges.hasSeveralRanges(head));
    }

    /// Returns whether the client has the response of a 304 as the application sent it: it names the
    /// strong tag, which a compressed response never had.
    private static boolean hasUncoded(ResponseHead head, RequestHead request) {
        @Nullable String tag = head.fields().first(FieldName.ETAG);
        @Nullable String known = request.fields().combined(FieldName.IF_NONE_MATCH);
        if (tag == null || known == null || !tag.startsWith("\"")) {
            return false;
        }
        int at = known.indexOf(tag);
        while (at >= 0 && known.startsWith(WEAK, at - WEAK.length())) {
            at = known.indexOf(tag, at + tag.length());
        }
        return at >= 0;
    }

    private static boolean mayBeCoded(ResponseHead head, Compression compression) {
        long length = head.contentLength();
        return (length == ResponseHead.UNKNOWN_LENGTH || length >= compression.minBytes())
                && !head.status().withoutContent()
                && !head.status().equals(Status.RESET_CONTENT)
                && hasType(head, compression)
                && !isForbidden(head);
    }

    private static boolean hasType(ResponseHead head, Compression compression) {
        Fields fields = head.fields();
        int type = fields.indexOf(FieldName.CONTENT_TYPE, 0);
        return type >= 0
                && compression
                        .types()
                        .contains(fields.buffer(), fields.valueAt(type), fields.valueEnd(type));
    }

    private static boolean isForbidden(ResponseHead head) {
        Fields fields = head.fields();
        return fields.contains(FieldName.CONTENT_ENCODING)
                || lists(fields, FieldName.CACHE_CONTROL, NO_TRANSFORM)
                || hasDigest(fields);
    }

    /// Returns whether the client takes gzip, and not rather content without a coding. HTTP/1.0 has
    /// no chunks, so its connection would have to end.
    private static boolean accepts(RequestHead request) {
        Fields fields = request.fields();
        long accepted = AcceptEncoding.of(fields);
        int weight = AcceptEncoding.weight(accepted, ContentCoding.GZIP);
        return weight > 0
                && weight >= AcceptEncoding.identityWeight(accepted)
                && request.version() != HttpVersion.HTTP_1_0
                && !lists(fields, FieldName.CACHE_CONTROL, NO_TRANSFORM);
    }

    private static boolean hasDigest(Fields fields) {
        for (String name : DIGESTS) {
            if (fields.first(name) != null) {
                return true;
            }
        }
        return false;
    }

    /// Returns the head of the response as it is, for caches that keep it (RFC 9110 §12.5.5).
    public static ResponseHead varied(ResponseHead head) {
        return variesAlready(head.fields())
                ? head
                : with(head, new Fields().addAll(head.fields()), head.contentLength());
    }

    /// Returns the head of the compressed response. Its tag becomes weak, because the bytes are others
    /// (§8.8.3). Ranges are those of the bytes that the application has, so they are not offered.
    public static ResponseHead gzip(ResponseHead head) {
        Fields fields = new Fields().addAll(head.fields()).remove(FieldName.ACCEPT_RANGES);
        weaken(fields);
        fields.add(FieldName.CONTENT_ENCODING, ContentCoding.GZIP.token());
        return with(head, fields, ResponseHead.UNKNOWN_LENGTH);
    }

    /// Returns the head of a 304 with the fields of a response that may have been compressed (RFC 9110
    /// §15.4.5).
    public static ResponseHead notModified(ResponseHead head) {
        Fields fields = new Fields().addAll(head.fields());
        weaken(fields);
        return with(head, fields, head.contentLength());
    }

    private static ResponseHead with(ResponseHead head, Fields fields, long length) {
        if (!variesAlready(fields)) {
            fields.add(FieldName.VARY, ACCEPT_ENCODING);
        }
        return new ResponseHead(head.status(), fields, length);
    }

    private static void weaken(Fields fields) {
        @Nullable String tag = fields.first(FieldName.ETAG);
        if (tag != null && tag.startsWith("\"")) {
            fields.set(FieldName.ETAG, WEAK + tag);
        }
    }

    private static boolean variesAlready(Fields fields) {
        return lists(fields, FieldName.VARY, ACCEPT_ENCODING_BYTES)
                || "*".equals(fields.first(FieldName.VARY));
    }

    /// Returns whether a field of that name has the element, which is in lower case.
    private static boolean lists(Fields fields, FieldName name, byte[] element) {
        byte[] bytes = fields.buffer();
        for (int i = fields.indexOf(name, 0); i >= 0; i = fields.indexOf(name, i + 1)) {
            int from = fields.valueAt(i);
            int to = fields.valueEnd(i);
            for (int at = from; at <= to - element.length; at++) {
                boolean starts = at == from || isBetween(bytes[at - 1]);
                int end = at + element.length;
                boolean ends = end == to || isBetween(bytes[end]);
                if (starts && ends && ContentCoding.equal(bytes, at, end, element)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isBetween(int b) {
        return b == ',' || b == ' ' || b == '\t';
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
