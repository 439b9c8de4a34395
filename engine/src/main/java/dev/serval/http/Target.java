package dev.serval.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The request target (RFC 9112 §3.2, RFC 9110 §7.1) as places in the head's bytes. Filled by the
/// [RequestHeadWriter], reused from request to request; owned by its [RequestHead].
public final class Target {
    /// The four forms of RFC 9112 §3.2.
    public enum Form {
        /// `/path?query`
        ORIGIN,
        /// `http://host/path?query`
        ABSOLUTE,
        /// `host:port`, with CONNECT alone
        AUTHORITY,
        /// `*`, with OPTIONS alone
        ASTERISK
    }

    private static final byte[] NONE = {};

    private Form form = Form.ORIGIN;
    private byte[] bytes = NONE;
    private int from;
    private int to;
    private int queryAt = -1;
    private int queryEnd;
    private int authorityAt = -1;
    private int authorityEnd;
    private final TargetPath path = new TargetPath();

    Target() {}

    /// Which form the client used.
    public Form form() {
        return form;
    }

    /// The path, normalised; `/` where the form has none.
    public TargetPath path() {
        return path;
    }

    /// The query behind `?` as it was sent, or null where there is no `?`.
    public @Nullable String query() {
        return queryAt < 0 ? null : text(queryAt, queryEnd);
    }

    /// The authority that an absolute or authority form names, or null.
    public @Nullable String authority() {
        return authorityAt < 0 ? null : text(authorityAt, authorityEnd);
    }

    /// The target as it was sent.
    public String text() {
        return text(from, to);
    }

    // For RequestHeadWriter

    /// See [RequestHeadWriter#origin].
    @Nullable ProtocolError origin(byte[] bytes, int from, int to, int query) {
        set(Form.ORIGIN, bytes, from, to);
        return pathAndQuery(from, to, query);
    }

    /// See [RequestHeadWriter#absolute].
    @Nullable ProtocolError absolute(
            byte[] bytes, int from, int to, int authority, int authorityEnd, int query) {
        set(Form.ABSOLUTE, bytes, from, to);
        this.authorityAt = authority;
        this.authorityEnd = authorityEnd;
        return pathAndQuery(authorityEnd, to, query);
    }

    /// Takes `bytes[from, to)` in authority form.
    void authority(byte[] bytes, int from, int to) {
        set(Form.AUTHORITY, bytes, from, to);
        this.authorityAt = from;
        this.authorityEnd = to;
        path.root();
    }

    /// Takes `*` at `bytes[from]`.
    void asterisk(byte[] bytes, int from) {
        set(Form.ASTERISK, bytes, from, from + 1);
        path.root();
    }

    /// Forgets the target and gives up all memory.
    void release() {
        bytes = NONE;
        from = 0;
        to = 0;
        queryAt = -1;
        authorityAt = -1;
        path.release();
    }

    /// The same bytes at another place: `distance` is added to every index.
    void move(byte[] copy, int distance) {
        bytes = copy;
        from += distance;
        to += distance;
        queryAt = queryAt < 0 ? -1 : queryAt + distance;
        queryEnd += distance;
        authorityAt = authorityAt < 0 ? -1 : authorityAt + distance;
        authorityEnd += distance;
        path.move(copy, distance);
    }

    private @Nullable ProtocolError pathAndQuery(int at, int end, int query) {
        queryAt = query;
        queryEnd = end;
        int pathEnd = query < 0 ? end : query - 1;
        if (at == pathEnd) {
            path.root();
            return null;
        }
        return path.set(bytes, at, pathEnd);
    }

    private void set(Form form, byte[] bytes, int from, int to) {
        this.form = form;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.queryAt = -1;
        this.authorityAt = -1;
    }

    private String text(int at, int end) {
        return new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
    }
}
