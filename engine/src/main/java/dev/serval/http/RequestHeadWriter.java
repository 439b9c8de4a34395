package dev.serval.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Fills a [RequestHead], one request after the other. A codec holds the writer and hands out the
/// head, which handlers cannot change.
///
/// Order of calls: [#reset]; the line, by [#line] or [#otherMethod] and the form of its target;
/// [FieldsWriter#mark] for each field; [#keep]; [#content]. Owned by the connection.
public final class RequestHeadWriter {
    private static final byte[] NONE = {};

    private final FieldsWriter fields = new FieldsWriter();
    private final RequestHead head = new RequestHead(fields.fields());
    private byte[] bytes = NONE;
    private int length;
    private int countedBytes;

    /// A writer of a head of its own.
    public RequestHeadWriter() {}

    /// The head; valid until the next request is written.
    public RequestHead head() {
        return head;
    }

    /// Writes the head's fields.
    public FieldsWriter fields() {
        return fields;
    }

    /// Bytes of the whole head, its last line end included.
    public int length() {
        return length;
    }

    /// Forgets the last request, keeps the memory.
    public void reset() {
        fields.reset();
        head.reset();
        length = 0;
    }

    /// Bytes of the memory that [#reset] keeps.
    public int memoryBytes() {
        return fields.fields().memoryBytes() + head.target().path().memoryBytes();
    }

    /// Counts the memory.
    ///
    /// @return bytes that came since the last call
    public int countGrowth() {
        int before = countedBytes;
        countedBytes = memoryBytes();
        return countedBytes - before;
    }

    /// Ends the count.
    ///
    /// @return bytes that [#countGrowth] told in all
    public int endCount() {
        int counted = countedBytes;
        countedBytes = 0;
        return counted;
    }

    /// Forgets the last request and gives up the memory.
    public void release() {
        reset();
        fields.fields().release();
        head.target().release();
        bytes = NONE;
    }

    /// Sets a known method, and the version.
    public void line(Method method, HttpVersion version) {
        head.line(method, version, 0, 0);
    }

    /// Sets [Method#OTHER], and the version.
    ///
    /// @param at where the method's name begins in the bytes of [#keep], relative to its `at`
    /// @param end where it ends
    public void otherMethod(int at, int end, HttpVersion version) {
        head.line(Method.OTHER, version, at, end);
    }

    /// Sets the target `bytes[from, to)` in origin form.
    ///
    /// @param query index behind `?`, or -1
    /// @return what is wrong with the path, or null
    public @Nullable ProtocolError origin(byte[] bytes, int from, int to, int query) {
        return head.target().origin(bytes, from, to, query);
    }

    /// Sets the target `bytes[from, to)` in absolute form.
    ///
    /// @param authority where the authority begins
    /// @param authorityEnd where it ends: at the path, the query or the target's end
    /// @param query index behind `?`, or -1
    /// @return what is wrong with the path, or null
    public @Nullable ProtocolError absolute(
            byte[] bytes, int from, int to, int authority, int authorityEnd, int query) {
        return head.target().absolute(bytes, from, to, authority, authorityEnd, query);
    }

    /// Sets the target `bytes[from, to)` in authority form.
    public void authority(byte[] bytes, int from, int to) {
        head.target().authority(bytes, from, to);
    }

    /// Sets the target `*` at `bytes[from]`.
    public void asterisk(byte[] bytes, int from) {
        head.target().asterisk(bytes, from);
    }

    /// Sets what the fields say of content and connection.
    ///
    /// @param hostField index of the Host field, or -1
    public void content(
            long contentLength, boolean persistent, boolean expectsContinue, int hostField) {
        head.content(contentLength, persistent, expectsContinue, hostField);
    }

    /// Makes the bytes the head's own: copies `from[at, at + length)`, to whose start the marks of
    /// the fields are relative; the target's are indices in `from`.
    public void keep(byte[] from, int at, int length) {
        fields.adopt(from, at, length);
        this.bytes = fields.fields().buffer();
        this.length = length;
        head.target().move(bytes, -at);
    }

    /// Keeps the marks of those fields, from the first on, whose lines stand in `buffer[at, to)` as
    /// they stood in the last head, byte for byte, and forgets the others: a client that asks again
    /// mostly says the same.
    ///
    /// @param start where the new head begins, to which marks are relative
    /// @return bytes of the lines kept
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

    /// Whether `buffer[at, to)` begins with exactly this head, byte for byte, so that nothing in
    /// it needs to be read again.
    public boolean repeats(byte[] buffer, int at, int to) {
        int end = at + length;
        return length > 0 && end <= to && Arrays.equals(bytes, 0, length, buffer, at, end);
    }
}
