package dev.serval.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The head of a request: method, target, version, fields, and what they say about the content.
/// Its bytes are its own, so it stays true until its connection takes the next request.
///
/// Codecs fill it in this order: [#reset], target and [Fields#mark], [#line], [#content],
/// [#keep]. Owned by the connection; handlers only read.
public final class RequestHead {
    /// [#contentLength] of content whose length its end will tell (chunked).
    public static final long UNKNOWN_LENGTH = -1;

    private static final byte[] NONE = {};

    private Method method = Method.GET;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private final Target target = new Target();
    private final Fields fields = new Fields();
    private int length;
    private byte[] bytes = NONE;
    private long contentLength;
    private boolean persistent;
    private boolean expectsContinue;
    private int hostField = -1;

    /// The method.
    public Method method() {
        return method;
    }

    /// The version of the message.
    public HttpVersion version() {
        return version;
    }

    /// The target.
    public Target target() {
        return target;
    }

    /// The fields.
    public Fields fields() {
        return fields;
    }

    /// Bytes of content: 0 for none, [#UNKNOWN_LENGTH] where only its end will tell.
    public long contentLength() {
        return contentLength;
    }

    /// Whether the connection may serve another request after this one (RFC 9112 §9.3).
    public boolean persistent() {
        return persistent;
    }

    /// Whether the client waits for 100 before it sends the content (RFC 9110 §10.1.1).
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /// The host and port the request is for (RFC 9110 §7.2): the target's authority, else the Host
    /// field; empty where an HTTP/1.0 client sent none.
    public String authority() {
        @Nullable String named = target.authority();
        if (named != null) {
            return named;
        }
        return hostField < 0 ? "" : fields.value(hostField);
    }

    /// Index of the Host field, or -1; for comparing without a String.
    public int hostField() {
        return hostField;
    }

    /// Bytes of the whole head, its last line end included.
    public int length() {
        return length;
    }

    // For codecs

    /// Forgets the last request, keeps the memory.
    public void reset() {
        fields.reset();
        hostField = -1;
        length = 0;
    }

    /// Sets method and version.
    public void line(Method method, HttpVersion version) {
        this.method = method;
        this.version = version;
    }

    /// Sets what the fields say of content and connection.
    ///
    /// @param hostField index of the Host field, or -1
    public void content(
            long contentLength, boolean persistent, boolean expectsContinue, int hostField) {
        this.contentLength = contentLength;
        this.persistent = persistent;
        this.expectsContinue = expectsContinue;
        this.hostField = hostField;
    }

    /// Makes the bytes its own: copies `from[at, at + length)`, to whose start the places of the
    /// fields are relative; the target's are indices in `from`.
    public void keep(byte[] from, int at, int length) {
        fields.adopt(from, at, length);
        this.bytes = fields.buffer();
        this.length = length;
        target.move(bytes, -at);
    }

    /// Keeps the marks of those fields, from the first on, whose lines stand in `buffer[at, to)` as
    /// they stood in the last head, byte for byte, and forgets the others: a client that asks again
    /// mostly says the same.
    ///
    /// @param start where the new head begins, to which marks are relative
    /// @return bytes of the lines kept
    public int keepRepeated(byte[] buffer, int start, int at, int to) {
        int first = fields.size() == 0 || length == 0 ? length : fields.nameAt(0);
        int most = Math.max(0, length - 2 - first); // without the empty line
        int same = Arrays.mismatch(bytes, first, first + most, buffer, at, Math.min(to, at + most));
        int kept = 0;
        int keptBytes = 0;
        for (int i = 0; i < fields.size(); i++) {
            int lineEnd = i + 1 < fields.size() ? fields.nameAt(i + 1) - first : most;
            if (same >= 0 && lineEnd > same) {
                break;
            }
            kept = i + 1;
            keptBytes = lineEnd;
        }
        fields.keepFirst(kept, at - start - first);
        return keptBytes;
    }

    /// Whether `buffer[at, to)` begins with exactly this head, byte for byte, so that nothing in
    /// it needs to be read again.
    public boolean repeats(byte[] buffer, int at, int to) {
        int end = at + length;
        return length > 0 && end <= to && Arrays.equals(bytes, 0, length, buffer, at, end);
    }

    @Override
    public String toString() {
        return method + " " + target.text() + " " + version.text() + "\n" + fields;
    }
}
