package dev.serval.http;

import dev.serval.codec.CodecKey;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes a changed copy of a received head, for a rule of a mount: with another target, or with the
/// user who has logged in. The copy knows the head that was received. Used once, on the loop.
public final class HeadCopy {
    /// The fields that are about the content, or that make the answer depend on a former one.
    private static final Set<Integer> OF_REQUEST =
            Set.of(
                    FieldName.CONTENT_LENGTH.id(),
                    FieldName.CONTENT_TYPE.id(),
                    FieldName.TRANSFER_ENCODING.id(),
                    FieldName.EXPECT.id(),
                    FieldName.UPGRADE.id(),
                    FieldName.RANGE.id(),
                    FieldName.IF_RANGE.id(),
                    FieldName.IF_MATCH.id(),
                    FieldName.IF_NONE_MATCH.id(),
                    FieldName.IF_MODIFIED_SINCE.id(),
                    FieldName.IF_UNMODIFIED_SINCE.id());

    private final RequestHead original;
    private byte @Nullable [] target; // null for that of the original
    private @Nullable String user;
    private @Nullable String trace; // null for those of the original
    private boolean page;

    private HeadCopy(RequestHead original) {
        this.original = original;
        this.user = original.user();
    }

    /// Returns a copy without changes.
    public static HeadCopy of(RequestHead original) {
        return new HeadCopy(original);
    }

    /// Sets another target.
    ///
    /// @param path decoded, `/name[/name…]`
    /// @param query as it is sent, without the `?`; null for none
    public HeadCopy target(String path, @Nullable String query) {
        String text = PercentEncoding.path(path) + (query == null ? "" : "?" + query);
        target = text.getBytes(StandardCharsets.ISO_8859_1);
        return this;
    }

    /// Sets the user who has logged in. The copy has no Authorization, whose purpose was fulfilled:
    /// no application behind the mount sees the password (RFC 9110 §11.6.2).
    public HeadCopy user(String name) {
        user = name;
        return this;
    }

    /// Makes the copy ask for the page of an error: GET or HEAD of a path, without a query, content,
    /// conditions or ranges.
    ///
    /// @param path decoded, `/name[/name…]`
    public HeadCopy page(String path) {
        page = true;
        return target(path, null);
    }

    /// Sets the trace, in place of what the client sent about one.
    ///
    /// @param parent a valid value of the field `traceparent`
    public HeadCopy trace(String parent) {
        trace = parent;
        return this;
    }

    /// Returns the copy.
    ///
    /// @return null if the new path cannot be the path of a request, because it has a control
    ///     character or climbs above the root
    public @Nullable RequestHead make() {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        method(writer);
        Target former = original.target();
        writer.scheme(former.isHttps());
        byte[] path = target == null ? sent(former) : target;
        if (writer.path(path, 0, path.length) != null) {
            return null;
        }
        fields(writer);
        writer.end(page ? 0 : original.contentLength(), !page && original.expectsContinue());
        RequestHead copy = writer.head();
        copy.copyOf(original, user);
        return copy;
    }

    private void method(RequestHeadWriter writer) {
        boolean head = original.method() == Method.HEAD;
        String text = !page ? original.methodText() : head ? "HEAD" : "GET";
        byte[] name = text.getBytes(StandardCharsets.US_ASCII);
        boolean _ = writer.method(name, 0, name.length, original.version());
        @Nullable String protocol = page ? null : original.connectProtocol();
        if (protocol != null) {
            byte[] bytes = protocol.getBytes(StandardCharsets.ISO_8859_1);
            writer.connectProtocol(bytes, 0, bytes.length);
        }
    }

    /// Returns path and query as they were sent.
    private static byte[] sent(Target former) {
        int from = former.originFrom();
        String text =
                new String(
                        former.buffer(),
                        from,
                        former.originTo() - from,
                        StandardCharsets.ISO_8859_1);
        String whole = text.startsWith("/") ? text : "/" + text; // an absolute form without a path
        return whole.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void fields(RequestHeadWriter writer) {
        Fields fields = original.fields();
        byte[] bytes = fields.buffer();
        if (original.authorityTo() > original.authorityFrom() || fields.contains(FieldName.HOST)) {
            writer.authority(bytes, original.authorityFrom(), original.authorityTo());
        }
        for (int i = 0; i < fields.size(); i++) {
            int id = fields.id(i);
            boolean spent =
                    (trace != null && TraceParent.isAboutTrace(fields, i))
                            || (user != null && id == FieldName.AUTHORIZATION.id())
                            || (page && OF_REQUEST.contains(id));
            if (id != FieldName.HOST.id() && !spent) { // Host is the authority
                writer.name(fields.known(i), bytes, fields.nameAt(i), fields.nameEnd(i));
                writer.value(bytes, fields.valueAt(i), fields.valueEnd(i));
            }
        }
        if (trace != null) {
            byte[] name = TraceParent.NAME.getBytes(StandardCharsets.US_ASCII);
            byte[] value = trace.getBytes(StandardCharsets.US_ASCII);
            writer.name(FieldName.of(TraceParent.NAME), name, 0, name.length);
            writer.value(value, 0, value.length);
        }
    }
}
