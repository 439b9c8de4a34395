package dev.serval.http;

import dev.serval.codec.CodecKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Fills the [Fields] of received messages, one message after the other. A codec keeps the writer
/// and hands out the fields, which their readers cannot change. Order of calls: [#reset], [#mark]
/// for each field, [#adopt]. Owned by the codec's connection.
public final class FieldsWriter {
    private final Fields fields = Fields.received();

    /// Creates a writer with an empty list of fields.
    ///
    /// @param key the caller's right to do so
    @SuppressWarnings("exports") // applications cannot name the key
    public FieldsWriter(CodecKey key) {
        Objects.requireNonNull(key, "Only a codec of the engine may fill received fields");
    }

    /// Returns the fields; valid until the next [#reset].
    public Fields fields() {
        return fields;
    }

    /// Removes all fields but keeps the memory.
    public void reset() {
        fields.reset();
    }

    /// Records a field. The indices are relative to the `at` of [#adopt], which copies the bytes.
    ///
    /// @param name the known name, or null
    public void mark(@Nullable FieldName name, int nameAt, int nameEnd, int valueAt, int valueEnd) {
        fields.mark(name, nameAt, nameEnd, valueAt, valueEnd);
    }

    /// Copies `from[at, at + length)`, the bytes that the marks refer to.
    public void adopt(byte[] from, int at, int length) {
        fields.adopt(from, at, length);
    }

    /// Copies `from[at, end)` behind the bytes that the marks refer to; in place of [#adopt].
    ///
    /// @return index of the copy, for [#mark]
    int append(byte[] from, int at, int end) {
        return fields.append(from, at, end);
    }

    /// Joins the values of all fields of that name into the first one, after the last [#append].
    void join(FieldName name, byte[] separator) {
        fields.join(name, separator);
    }
}
