package dev.serval.hpack;

import dev.serval.http.FieldName;
import org.jspecify.annotations.Nullable;

/// Takes field lines one by one. The bytes are valid only during the call.
public interface FieldSink {
    /// Takes the name of the next field line; [#value] follows. The name may have any bytes, because
    /// HPACK checks none.
    ///
    /// @param known the known name that equals the bytes, ignoring case, or null
    void name(@Nullable FieldName known, byte[] from, int at, int end);

    /// Takes the value that belongs to the name.
    void value(byte[] from, int at, int end);
}
