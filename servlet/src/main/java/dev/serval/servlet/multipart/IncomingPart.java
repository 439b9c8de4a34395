package dev.serval.servlet.multipart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A part that is being received: in memory up to a threshold, then in a file of the spool. Owned by
/// one [Parts].
final class IncomingPart {
    private static final int FIRST_BYTES = 512;
    private static final byte[] NO_BYTES = {};

    private final PartHead head;
    private final int thresholdBytes;
    private final Spool spool;
    private byte[] memory = NO_BYTES;
    private long length;
    private @Nullable SpoolFile file;

    IncomingPart(PartHead head, int thresholdBytes, Spool spool) {
        this.head = head;
        this.thresholdBytes = thresholdBytes;
        this.spool = spool;
    }

    /// Returns the bytes received.
    long length() {
        return length;
    }

    /// Appends bytes.
    void write(byte[] bytes, int from, int to) throws IOException {
        int added = to - from;
        SpoolFile open = file;
        if (open == null && length + added > thresholdBytes) {
            open = spool.newFile();
            file = open;
            open.write(memory, 0, (int) length);
            memory = NO_BYTES;
        }
        if (open != null) {
            open.write(bytes, from, to);
        } else {
            hold(bytes, from, added);
        }
        length += added;
    }

    /// Ends the part.
    FormPart finish(Path location) throws IOException {
        SpoolFile complete = file;
        if (complete == null) {
            PartContent held = new PartContent.InMemory(memory, (int) length);
            return new FormPart(head, held, length, location);
        }
        complete.finish();
        return new FormPart(head, new PartContent.Spooled(complete), length, location);
    }

    /// Deletes what was received.
    void discard() throws IOException {
        SpoolFile open = file;
        if (open != null) {
            open.delete();
        }
    }

    private void hold(byte[] bytes, int from, int added) {
        int used = (int) length;
        if (memory.length - used < added) {
            long grown = Math.max(FIRST_BYTES, Math.max(2L * used, (long) used + added));
            memory = Arrays.copyOf(memory, (int) Math.min(grown, thresholdBytes));
        }
        System.arraycopy(bytes, from, memory, used, added);
    }
}
