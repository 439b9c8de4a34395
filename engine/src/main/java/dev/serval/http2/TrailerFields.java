package dev.serval.http2;

import dev.serval.codec.CodecKey;
import dev.serval.hpack.FieldSink;
import dev.serval.hpack.HeaderBlock;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.TrailerRules;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Collects the trailers of a request, and checks them (RFC 9113 §8.1). Used once.
public final class TrailerFields implements FieldSink {
    private final HeaderBlock bytes = new HeaderBlock();
    private final FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
    private final Limits.Contents limits;
    private @Nullable FieldName name; // of the line that waits for its value
    private int nameAt;
    private @Nullable FrameError malformed;

    /// Creates an empty section.
    public TrailerFields(Limits.Contents limits) {
        this.limits = limits;
    }

    @Override
    public void name(@Nullable FieldName known, byte[] from, int at, int end) {
        found(FieldRules.wrongName(known, from, at, end));
        found(TrailerRules.forbidden(known) ? Broken.TRAILER : null);
        name = known;
        nameAt = bytes.length();
        append(from, at, end);
    }

    @Override
    public void value(byte[] from, int at, int end) {
        found(FieldRules.wrongValue(from, at, end));
        int valueAt = bytes.length();
        append(from, at, end);
        if (malformed == null) {
            writer.mark(name, nameAt, valueAt, valueAt, bytes.length());
            found(writer.fields().size() > limits.trailersMax() ? Broken.TRAILERS_TOO_LARGE : null);
        }
    }

    /// Keeps bytes, unless the section is malformed already.
    private void append(byte[] from, int at, int end) {
        if (bytes.length() + end - at > limits.trailersMaxBytes()) {
            found(Broken.TRAILERS_TOO_LARGE);
        }
        if (malformed == null) {
            bytes.append(from, at, end);
        }
    }

    /// Ends the section.
    ///
    /// @return the trailers
    public Fields end() {
        writer.adopt(bytes.array(), 0, bytes.length());
        return writer.fields();
    }

    /// Returns the bytes of memory that it takes.
    public int memoryBytes() {
        return bytes.array().length;
    }

    /// Returns the rule whose breach ends the stream, or null.
    public @Nullable FrameError malformed() {
        return malformed;
    }

    private void found(@Nullable FrameError what) {
        if (malformed == null) {
            malformed = what;
        }
    }
}
