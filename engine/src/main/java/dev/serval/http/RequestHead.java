package dev.serval.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The head of a request: method, target, version, fields, and what they say about the content. It
/// owns a copy of its bytes, so it is valid until its connection reads the next request.
///
/// A codec fills it through its [RequestHeadWriter]; handlers only read it. Owned by the
/// connection.
public final class RequestHead {
    /// The [#contentLength] of content whose length is unknown until it ends (chunked).
    public static final long UNKNOWN_LENGTH = -1;

    private static final int NONE = -1;

    private Method method = Method.GET;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private int methodAt; // set only for Method.OTHER
    private int methodEnd;
    private final Target target = new Target();
    private final Fields fields;
    private long contentLength;
    private boolean expectsContinue;
    private int hostField = NONE;
    private int protocolFrom = NONE;
    private int protocolTo;
    private RequestHead received = this; // what this is a copy of
    private @Nullable String user;

    RequestHead(Fields fields) {
        this.fields = fields;
    }

    /// Returns the method; [Method#OTHER] if [Method] has no constant for it.
    public Method method() {
        return method;
    }

    /// Returns the method as the client sent it, such as `GET` or `PROPFIND`. Methods are
    /// case-sensitive (RFC 9110 §9.1).
    public String methodText() {
        if (method != Method.OTHER) {
            return method.name();
        }
        int length = methodEnd - methodAt;
        return new String(fields.buffer(), methodAt, length, StandardCharsets.US_ASCII);
    }

    /// Returns the version of the message.
    public HttpVersion version() {
        return version;
    }

    /// Returns the target.
    public Target target() {
        return target;
    }

    /// Returns the fields.
    public Fields fields() {
        return fields;
    }

    /// Returns the length of the content in bytes: 0 if there is none, [#UNKNOWN_LENGTH] if it is
    /// chunked.
    public long contentLength() {
        return contentLength;
    }

    /// Returns whether the client waits for a 100 response before it sends the content (RFC 9110
    /// §10.1.1).
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /// Returns the host and port of the request (RFC 9110 §7.2): the target's authority, otherwise
    /// the Host field. Empty if an HTTP/1.0 client sent neither.
    public String authority() {
        return text(authorityFrom(), authorityTo());
    }

    /// Returns the start of [#authority] in the [Fields#buffer] of the fields. It allows comparing
    /// the host without a String.
    public int authorityFrom() {
        if (target.authorityAt() != NONE) { // takes precedence over Host (RFC 9112 §3.2.2)
            return target.authorityAt();
        }
        return hostField == NONE ? 0 : fields.valueAt(hostField);
    }

    /// Returns the end of [#authority] in that buffer, exclusive.
    public int authorityTo() {
        if (target.authorityAt() != NONE) {
            return target.authorityEnd();
        }
        return hostField == NONE ? 0 : fields.valueEnd(hostField);
    }

    /// Returns the protocol that an extended CONNECT asks for, such as `websocket` (RFC 8441 §4), or
    /// null for every other request.
    public @Nullable String connectProtocol() {
        return protocolFrom == NONE ? null : text(protocolFrom, protocolTo);
    }

    /// Returns the head that the client sent, of which a rule of a mount may have made this one; this
    /// head if there is no such rule.
    public RequestHead received() {
        return received;
    }

    /// Returns the name of the user who has logged in at a rule of the mount, or null.
    public @Nullable String user() {
        return user;
    }

    // For RequestHeadWriter

    /// Sets what this head is a copy of, and who has sent it.
    void copyOf(RequestHead other, @Nullable String byUser) {
        received = other.received();
        user = byUser;
    }

    void reset() {
        hostField = NONE;
        target.reset();
        connectProtocol(NONE, NONE);
    }

    void line(Method method, HttpVersion version, int methodAt, int methodEnd) {
        this.method = method;
        this.version = version;
        this.methodAt = methodAt;
        this.methodEnd = methodEnd;
    }

    void content(long contentLength, boolean expectsContinue, int hostField) {
        this.contentLength = contentLength;
        this.expectsContinue = expectsContinue;
        this.hostField = hostField;
    }

    void connectProtocol(int from, int to) {
        this.protocolFrom = from;
        this.protocolTo = to;
    }

    private String text(int from, int to) {
        return new String(fields.buffer(), from, to - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return methodText() + " " + target.text() + " " + version.text() + "\n" + fields;
    }
}
