package dev.serval.http;

import org.jspecify.annotations.Nullable;

/// Fills the [Fields] of messages that are received, one message after the other. A codec holds the
/// writer and hands out the fields, which their reader cannot change. Order of calls: [#reset],
/// [#mark] for each field, [#adopt]. Owned by the codec's connection.
public final class FieldsWriter {
    private final Fields fields = Fields.received();

    /// A writer of fields of its own, with none yet.
    public FieldsWriter() {}

    /// The fields; valid until the next [#reset].
    public Fields fields() {
        return fields;
    }

    /// Forgets every field, keeps the memory.
    public void reset() {
        fields.reset();
    }

    /// Records a field whose bytes come with [#adopt]; the indices are relative to its `at`.
    ///
    /// @param name the known name, or null
    public void mark(@Nullable FieldName name, int nameAt, int nameEnd, int valueAt, int valueEnd) {
        fields.mark(name, nameAt, nameEnd, valueAt, valueEnd);
    }

    /// Copies the bytes that the marks speak of: `from[at, at + length)`.
    public void adopt(byte[] from, int at, int length) {
        fields.adopt(from, at, length);
    }
}
