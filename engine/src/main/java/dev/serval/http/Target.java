package dev.serval.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The request target (RFC 9112 §3.2, RFC 9110 §7.1), as indices into the head's bytes. The
/// [RequestHeadWriter] fills it again for each request. Owned by its [RequestHead].
public final class Target {
    /// The four forms of RFC 9112 §3.2.
    public enum Form {
        /// `/path?query`
        ORIGIN,
        /// `http://host/path?query`
        ABSOLUTE,
        /// `host:port`, only with CONNECT
        AUTHORITY,
        /// `*`, only with OPTIONS
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
    private boolean https;
    private final TargetPath path = new TargetPath();

    Target() {}

    /// Returns the form that the client used.
    public Form form() {
        return form;
    }

    /// Returns the normalised path; `/` if the form has none.
    public TargetPath path() {
        return path;
    }

    /// Returns the query after `?` as it was sent, or null if there is no `?`.
    public @Nullable String query() {
        return queryAt < 0 ? null : text(queryAt, queryEnd);
    }

    /// Returns the authority of an absolute or authority form, or null.
    public @Nullable String authority() {
        return authorityAt < 0 ? null : text(authorityAt, authorityEnd);
    }

    /// Returns the target as it was sent.
    public String text() {
        return text(from, to);
    }

    /// Returns whether the client named the scheme `https`: in an absolute form, or beside the
    /// target.
    public boolean isHttps() {
        return https || (form == Form.ABSOLUTE && (bytes[from + 4] | 0x20) == 's');
    }

    // For codecs that forward the target

    /// Returns the array that holds the target as it was sent. Read-only, and valid until the next
    /// request.
    public byte[] buffer() {
        return bytes;
    }

    /// Returns the start of the target in [#buffer], in whichever form it was sent.
    public int from() {
        return from;
    }

    /// Returns the start of the path and query in [#buffer], after the authority of an absolute
    /// form. The range is empty, or begins with `?`, if an absolute form has no path.
    public int originFrom() {
        return form == Form.ABSOLUTE ? authorityEnd : from;
    }

    /// Returns the end of the target in [#buffer], exclusive.
    public int originTo() {
        return to;
    }

    /// Returns the start of the query in [#buffer], after the `?`, or -1 if there is no `?`.
    public int queryFrom() {
        return queryAt;
    }

    // For RequestHeadWriter

    /// Sets the origin form; see [RequestHeadWriter#origin].
    @Nullable ProtocolError origin(byte[] bytes, int from, int to, int query) {
        set(Form.ORIGIN, bytes, from, to);
        return pathAndQuery(from, to, query);
    }

    /// Sets the absolute form; see [RequestHeadWriter#absolute].
    @Nullable ProtocolError absolute(
            byte[] bytes, int from, int to, int authority, int authorityEnd, int query) {
        set(Form.ABSOLUTE, bytes, from, to);
        this.authorityAt = authority;
        this.authorityEnd = authorityEnd;
        return pathAndQuery(authorityEnd, to, query);
    }

    /// Sets the authority form `bytes[from, to)`.
    void authority(byte[] bytes, int from, int to) {
        set(Form.AUTHORITY, bytes, from, to);
        this.authorityAt = from;
        this.authorityEnd = to;
        path.root();
    }

    /// Sets the asterisk form, `*` at `bytes[from]`.
    void asterisk(byte[] bytes, int from) {
        set(Form.ASTERISK, bytes, from, from + 1);
        path.root();
    }

    /// Sets the scheme, which a client sends beside the target.
    void scheme(boolean secure) {
        https = secure;
    }

    /// Forgets what no later target replaces.
    void reset() {
        authorityAt = -1;
        https = false;
    }

    int authorityAt() {
        return authorityAt;
    }

    int authorityEnd() {
        return authorityEnd;
    }

    /// Removes the target and releases all memory.
    void release() {
        bytes = NONE;
        from = 0;
        to = 0;
        queryAt = -1;
        authorityAt = -1;
        path.release();
    }

    /// Uses `copy` from now on, which has the same bytes with every index moved by `distance`.
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
