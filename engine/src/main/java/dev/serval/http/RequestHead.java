package dev.serval.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The head of a request: method, target, version, fields, and what they say about the content.
/// Its bytes are its own, so it stays true until its connection takes the next request.
///
/// A codec fills it through its [RequestHeadWriter]; handlers only read. Owned by the connection.
public final class RequestHead {
    /// [#contentLength] of content whose length its end will tell (chunked).
    public static final long UNKNOWN_LENGTH = -1;

    private Method method = Method.GET;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private int methodAt; // of a method that is not known
    private int methodEnd;
    private final Target target = new Target();
    private final Fields fields;
    private long contentLength;
    private boolean persistent;
    private boolean expectsContinue;
    private int hostField = -1;

    RequestHead(Fields fields) {
        this.fields = fields;
    }

    /// The method; [Method#OTHER] if it is not one that [Method] names.
    public Method method() {
        return method;
    }

    /// The method as the client wrote it: `GET`, `PROPFIND`. Letters are compared as they are (RFC
    /// 9110 §9.1).
    public String methodText() {
        if (method != Method.OTHER) {
            return method.name();
        }
        int length = methodEnd - methodAt;
        return new String(fields.buffer(), methodAt, length, StandardCharsets.US_ASCII);
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

    // For RequestHeadWriter

    void reset() {
        hostField = -1;
    }

    void line(Method method, HttpVersion version, int methodAt, int methodEnd) {
        this.method = method;
        this.version = version;
        this.methodAt = methodAt;
        this.methodEnd = methodEnd;
    }

    void content(long contentLength, boolean persistent, boolean expectsContinue, int hostField) {
        this.contentLength = contentLength;
        this.persistent = persistent;
        this.expectsContinue = expectsContinue;
        this.hostField = hostField;
    }

    @Override
    public String toString() {
        return methodText() + " " + target.text() + " " + version.text() + "\n" + fields;
    }
}
