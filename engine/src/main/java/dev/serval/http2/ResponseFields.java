package dev.serval.http2;

import dev.serval.hpack.HeaderBlock;
import dev.serval.hpack.HpackEncoder;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.TrailerRules;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Encodes the field lines of responses. The blocks must be sent in the order in which they were
/// encoded, and each of them once. Fields that only concern HTTP/1.1 are left out (RFC 9113 §8.2.2).
///
/// A head that equals the last one is copied, as long as its indices stay right. Owned by the
/// connection.
public final class ResponseFields {
    private static final byte[] NONE = {};
    private static final byte[] DATE = "date".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGITS_MAX = 19; // of a long
    private static final int KEPT_MAX_BYTES = 256;

    private final HpackEncoder encoder;
    private final HeaderBlock block;
    private @Nullable ResponseHead last; // whose constant part is kept
    private byte[] kept = NONE;
    private int keptLength;
    private int keptAge; // of the table

    /// Creates an encoder.
    ///
    /// @param block of the loop; each method writes to it anew
    public ResponseFields(HeaderBlock block) {
        this.block = block;
        this.encoder = new HpackEncoder(block);
    }

    /// Sets the largest dynamic table that the client allows.
    public void tableMax(int bytes) {
        encoder.tableMax(bytes);
    }

    /// Returns the bytes of memory that it takes.
    public int memoryBytes() {
        return encoder.memoryBytes() + kept.length;
    }

    /// Encodes the head of a final response.
    ///
    /// @param date the present date, as [HttpDate#write] writes it
    public void head(ResponseHead head, byte[] date) {
        begin();
        int start = block.length(); // behind changes of the table's size
        if (head.equals(last) && start == 0 && keptAge == encoder.tableAge()) {
            block.append(kept, 0, keptLength);
        } else {
            encoder.status(head.status().code());
            fields(head.fields(), false);
            length(head);
            keep(head, start);
        }
        if (!head.fields().contains(FieldName.DATE)) {
            encoder.name(FieldName.DATE, DATE, 0, DATE.length);
            encoder.value(date, 0, HttpDate.LENGTH);
        }
    }

    /// Encodes the head of an interim response, or of one that opens a tunnel.
    public void interim(Status status, Fields fields) {
        begin();
        encoder.status(status.code());
        fields(fields, false);
    }

    /// Encodes trailers. Leaves out fields that are not allowed there.
    public void trailers(Fields fields) {
        begin();
        fields(fields, true);
    }

    /// Returns whether [#trailers] would encode anything.
    public static boolean hasTrailers(Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            if (isSent(fields.known(i), true)) {
                return true;
            }
        }
        return false;
    }

    private void begin() {
        block.clear();
        encoder.begin(block);
        if (block.length() > 0) { // a change of the table's size, which evicts entries
            last = null;
        }
    }

    private void fields(Fields fields, boolean trailers) {
        byte[] bytes = fields.buffer();
        for (int i = 0; i < fields.size(); i++) {
            @Nullable FieldName known = fields.known(i);
            if (isSent(known, trailers)) {
                encoder.name(known, bytes, fields.nameAt(i), fields.nameEnd(i));
                value(bytes, fields.valueAt(i), fields.valueEnd(i));
            }
        }
    }

    /// Encodes a value without blanks at its ends, which over HTTP/1.1 are no part of it (RFC 9110 §5.5) and
    /// here make a response malformed (RFC 9113 §8.2.1).
    private void value(byte[] from, int at, int end) {
        int begin = at;
        int stop = end;
        while (begin < stop && FieldRules.isBlank(from[begin])) {
            begin++;
        }
        while (begin < stop && FieldRules.isBlank(from[stop - 1])) {
            stop--;
        }
        encoder.value(from, begin, stop);
    }

    private static boolean isSent(@Nullable FieldName known, boolean trailers) {
        return !FieldRules.isOfConnection(known) && !(trailers && TrailerRules.forbidden(known));
    }

    private void length(ResponseHead head) {
        if (head.contentLength() == ResponseHead.UNKNOWN_LENGTH || head.status().withoutContent()) {
            return;
        }
        if (kept.length < DIGITS_MAX) {
            kept = new byte[KEPT_MAX_BYTES];
        }
        int at = DIGITS_MAX; // the kept bytes are overwritten next
        long rest = head.contentLength();
        do {
            kept[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        encoder.name(FieldName.CONTENT_LENGTH, LENGTH, 0, LENGTH.length);
        encoder.value(kept, at, DIGITS_MAX);
    }

    /// Keeps the lines of the block, if another block with the same ones would have the same bytes.
    private void keep(ResponseHead head, int start) {
        int length = block.length() - start;
        if (!encoder.isSettled() || length > KEPT_MAX_BYTES) {
            last = null;
            return;
        }
        if (kept.length < length) {
            kept = new byte[KEPT_MAX_BYTES];
        }
        last = head;
        keptAge = encoder.tableAge();
        keptLength = length;
        System.arraycopy(block.array(), start, kept, 0, length);
    }
}
