package dev.serval.http1;

import dev.serval.codec.CodecKey;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.ProtocolError;
import dev.serval.http.TrailerRules;
import dev.serval.policy.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The fields after the last chunk (RFC 9112 §7.1.2). Collects them up to the empty line, then
/// reads them at once. Owned by one [BodyDecoder].
final class TrailerSection {
    private static final byte[] NONE = {};
    private static final int LINE_END = 2;
    private static final int SMALL_BYTES = 512;

    private final int maxBytes;
    private final int max;
    private final FieldLines lines = new FieldLines();
    private final FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
    private final Fields fields = writer.fields();
    private byte[] held = NONE;
    private int heldBytes;
    private int line; // start of the current line
    private boolean complete;
    private @Nullable ProtocolError error;
    private final boolean dropsForbidden;
    private Fields allowed = fields; // without those that were dropped

    /// @param dropsForbidden whether forbidden fields are dropped, in place of refused
    TrailerSection(Limits.Contents limits, boolean dropsForbidden) {
        this.dropsForbidden = dropsForbidden;
        this.maxBytes = limits.trailersMaxBytes();
        this.max = limits.trailersMax();
    }

    /// Prepares for the next section.
    void reset() {
        writer.reset();
        heldBytes = 0;
        line = 0;
        complete = false;
        error = null;
        allowed = fields;
    }

    /// Returns whether it has so little memory that an idle connection may keep it.
    boolean isSmall() {
        return held.length <= SMALL_BYTES;
    }

    /// Returns the bytes of memory that it takes.
    int memoryBytes() {
        return held.length;
    }

    /// Consumes bytes up to the next line's end.
    ///
    /// @return number of bytes consumed
    int take(byte[] buffer, int at, int to) {
        int lf = Scan.indexOf('\n', buffer, at, to);
        int end = Math.min(lf + 1, to);
        int length = end - at;
        if (heldBytes + length > maxBytes + LINE_END) {
            error = Refusal.FIELDS_TOO_LARGE;
            return 0;
        }
        if (held.length < heldBytes + length) {
            held = Arrays.copyOf(held, Math.max(64, 2 * (heldBytes + length)));
        }
        System.arraycopy(buffer, at, held, heldBytes, length);
        heldBytes += length;
        if (lf < to) {
            endLine();
        }
        return length;
    }

    /// Returns whether the empty line was consumed and all fields are valid.
    boolean complete() {
        return complete;
    }

    /// Returns the fields, valid if complete.
    Fields fields() {
        return allowed;
    }

    /// Returns the fault in the section, or null.
    @Nullable ProtocolError error() {
        return error;
    }

    private void endLine() {
        if (heldBytes - line > LINE_END) {
            line = heldBytes;
            return;
        }
        if (lines.read(held, 0, heldBytes, 0, max, writer) <= 0) {
            @Nullable ProtocolError wrong = lines.error();
            error = wrong != null ? wrong : Refusal.BARE_LF;
            return;
        }
        writer.adopt(held, 0, heldBytes);
        for (int i = 0; i < fields.size(); i++) {
            if (TrailerRules.forbidden(fields.known(i))) {
                if (!dropsForbidden) {
                    error = Refusal.TRAILER;
                    return;
                }
                allowed = withoutForbidden();
                break;
            }
        }
        complete = true;
    }

    private Fields withoutForbidden() {
        Fields left = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            if (!TrailerRules.forbidden(fields.known(i))) {
                left.add(fields, i);
            }
        }
        return left;
    }
}
