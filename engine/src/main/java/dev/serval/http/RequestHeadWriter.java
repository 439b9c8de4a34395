package dev.serval.http;

import dev.serval.codec.CodecKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Fills a [RequestHead], one request after the other. A codec keeps the writer and hands out the
/// head, which handlers cannot change. Owned by the connection.
///
/// Order of calls for a head that is one text, as in HTTP/1.1:
///
/// 1. [#reset];
/// 2. [#line] or [#otherMethod], and the form of the target;
/// 3. [FieldsWriter#mark] for each field;
/// 4. [#keep];
/// 5. [#content].
///
/// Order of calls for a head whose parts arrive one by one, from any arrays:
///
/// 1. [#reset];
/// 2. [#method], [#scheme], [#authority], [#path], [#connectProtocol], and [#name] with [#value]
///    for each field, in any order;
/// 3. [#end].
public final class RequestHeadWriter {
    private static final byte[] NONE = {};
    private static final byte[] HOST = FieldName.HOST.text().getBytes(StandardCharsets.US_ASCII);

    private final FieldsWriter fields;
    private final RequestHead head;
    private byte[] bytes = NONE;
    private int length;
    private int countedBytes;
    private boolean hasPath; // among the parts
    private boolean https; // likewise
    private int hostField = -1; // likewise, or -1
    private @Nullable FieldName name; // of the part that waits for its value
    private int nameAt;
    private int nameEnd;

    /// Creates a writer with an empty head.
    ///
    /// @param key the caller's right to do so
    @SuppressWarnings("exports") // applications cannot name the key
    public RequestHeadWriter(CodecKey key) {
        fields = new FieldsWriter(key);
        head = new RequestHead(fields.fields());
    }

    /// Returns the head; valid until the next request is written.
    public RequestHead head() {
        return head;
    }

    /// Returns the writer of the head's fields.
    public FieldsWriter fields() {
        return fields;
    }

    /// Returns the length of the whole head in bytes, with its final line end.
    public int length() {
        return length;
    }

    /// Removes the last request but keeps the memory.
    public void reset() {
        fields.reset();
        head.reset();
        length = 0;
        hasPath = false;
        https = false;
        hostField = -1;
    }

    /// Returns the size in bytes of the memory that [#reset] keeps.
    public int memoryBytes() {
        return fields.fields().memoryBytes() + head.target().path().memoryBytes();
    }

    /// Counts the memory again.
    ///
    /// @return growth in bytes since the last call
    public int countGrowth() {
        int before = countedBytes;
        countedBytes = memoryBytes();
        return countedBytes - before;
    }

    /// Ends the count.
    ///
    /// @return the sum in bytes of all that [#countGrowth] returned
    public int endCount() {
        int counted = countedBytes;
        countedBytes = 0;
        return counted;
    }

    /// Removes the last request and releases the memory.
    public void release() {
        reset();
        fields.fields().release();
        head.target().release();
        bytes = NONE;
    }

    /// Sets a known method and the version.
    public void line(Method method, HttpVersion version) {
        head.line(method, version, 0, 0);
    }

    /// Sets [Method#OTHER] and the version.
    ///
    /// @param at start of the method's name, relative to the `at` of [#keep]
    /// @param end end of the method's name, exclusive
    public void otherMethod(int at, int end, HttpVersion version) {
        head.line(Method.OTHER, version, at, end);
    }

    /// Sets the target `bytes[from, to)` in origin form.
    ///
    /// @param query index after `?`, or -1
    /// @return what is wrong with the path, or null
    public @Nullable ProtocolError origin(byte[] bytes, int from, int to, int query) {
        return head.target().origin(bytes, from, to, query);
    }

    /// Sets the target `bytes[from, to)` in absolute form.
    ///
    /// @param authority start of the authority
    /// @param authorityEnd end of the authority: the start of the path or the query, or the
    ///     target's end
    /// @param query index after `?`, or -1
    /// @return what is wrong with the path, or null
    public @Nullable ProtocolError absolute(
            byte[] bytes, int from, int to, int authority, int authorityEnd, int query) {
        return head.target().absolute(bytes, from, to, authority, authorityEnd, query);
    }

    /// Sets the target `bytes[from, to)` in authority form.
    public void authorityForm(byte[] bytes, int from, int to) {
        head.target().authority(bytes, from, to);
    }

    /// Sets the target `*` at `bytes[from]`.
    public void asterisk(byte[] bytes, int from) {
        head.target().asterisk(bytes, from);
    }

    /// Sets what the fields say about content and host.
    ///
    /// @param hostField index of the Host field, or -1
    public void content(long contentLength, boolean expectsContinue, int hostField) {
        head.content(contentLength, expectsContinue, hostField);
    }

    // A head in parts

    /// Sets the method and the version.
    ///
    /// @return whether the method is a token
    public boolean method(byte[] from, int at, int end, HttpVersion version) {
        @Nullable Method method = Method.of(from, at, end);
        if (method == null) {
            return false;
        }
        boolean other = method == Method.OTHER;
        int copyAt = other ? fields.append(from, at, end) : 0;
        head.line(method, version, copyAt, other ? copyAt + end - at : 0);
        return true;
    }

    /// Sets whether the scheme is `https`.
    public void scheme(boolean secure) {
        https = secure;
    }

    /// Sets the authority, and adds it as the Host field, which takes its place in HTTP/1.1
    /// (RFC 9113 §8.3.1).
    public void authority(byte[] from, int at, int end) {
        hostField = fields.fields().size();
        name(FieldName.HOST, HOST, 0, HOST.length);
        value(from, at, end);
    }

    /// Sets the path and query, or `*`, whose characters the codec has checked.
    ///
    /// @return what is wrong with the path, or null
    public @Nullable ProtocolError path(byte[] from, int at, int end) {
        hasPath = true;
        int start = fields.append(from, at, end);
        int to = start + end - at;
        byte[] buffer = fields.fields().buffer();
        if (end - at == 1 && from[at] == '*') {
            head.target().asterisk(buffer, start);
            return null;
        }
        int query = start;
        while (query < to && buffer[query] != '?') {
            query++;
        }
        return head.target().origin(buffer, start, to, query == to ? -1 : query + 1);
    }

    /// Sets the protocol of an extended CONNECT (RFC 8441 §4).
    public void connectProtocol(byte[] from, int at, int end) {
        int copyAt = fields.append(from, at, end);
        head.connectProtocol(copyAt, copyAt + end - at);
    }

    /// Starts a field; [#value] must follow, perhaps from another array.
    ///
    /// @param known the known name, or null
    public void name(@Nullable FieldName known, byte[] from, int at, int end) {
        name = known;
        nameAt = fields.append(from, at, end);
        nameEnd = nameAt + end - at;
    }

    /// Ends the field.
    public void value(byte[] from, int at, int end) {
        int valueAt = fields.append(from, at, end);
        fields.mark(name, nameAt, nameEnd, valueAt, valueAt + end - at);
    }

    /// Joins the values of all fields of that name, which a client may have divided, before [#end].
    public void join(FieldName name, byte[] separator) {
        fields.join(name, separator);
        if (hostField >= 0) { // fields before it may be gone
            hostField = fields.fields().indexOf(FieldName.HOST, 0);
        }
    }

    /// Ends the head, after its last part.
    public void end(long contentLength, boolean expectsContinue) {
        bytes = fields.fields().buffer();
        head.content(contentLength, expectsContinue, hostField);
        Target target = head.target();
        if (hasPath) {
            target.move(bytes, 0); // it may have referred to a smaller array
        } else { // CONNECT
            target.authority(bytes, head.authorityFrom(), head.authorityTo());
        }
        target.scheme(https);
    }

    // A head that is one text

    /// Copies `from[at, at + length)` into the head. The marks of the fields are relative to `at`;
    /// those of the target are indices in `from`.
    public void keep(byte[] from, int at, int length) {
        fields.adopt(from, at, length);
        this.bytes = fields.fields().buffer();
        this.length = length;
        head.target().move(bytes, -at);
    }

    /// Keeps the marks of the leading fields whose lines in `buffer[at, to)` equal those of the
    /// last head byte for byte. Removes the others. Successive requests of a client mostly repeat
    /// their fields.
    ///
    /// @param start start of the new head, to which marks are relative
    /// @return length in bytes of the kept lines
    public int keepRepeated(byte[] buffer, int start, int at, int to) {
        Fields marks = fields.fields();
        int first = marks.size() == 0 || length == 0 ? length : marks.nameAt(0);
        int most = Math.max(0, length - 2 - first); // without the empty line
        int same = Arrays.mismatch(bytes, first, first + most, buffer, at, Math.min(to, at + most));
        int kept = 0;
        int keptBytes = 0;
        for (int i = 0; i < marks.size(); i++) {
            int lineEnd = i + 1 < marks.size() ? marks.nameAt(i + 1) - first : most;
            if (same >= 0 && lineEnd > same) {
                break;
            }
            kept = i + 1;
            keptBytes = lineEnd;
        }
        marks.keepFirst(kept, at - start - first);
        return keptBytes;
    }

    /// Returns whether `buffer[at, to)` begins with exactly the bytes of this head, so that it need
    /// not be parsed again.
    public boolean repeats(byte[] buffer, int at, int to) {
        int end = at + length;
        return length > 0 && end <= to && Arrays.equals(bytes, 0, length, buffer, at, end);
    }
}
