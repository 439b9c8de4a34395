package dev.serval.handler;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a response, for a [RecordingExchange]: its pieces as they were written, and their bytes.
/// Pieces are read and released at once, unless [#hold] was called. Owned by the test's thread.
final class RecordedContent {
    private final List<Body> pieces = new ArrayList<>();
    private final List<Body> held = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean holds;

    /// Holds pieces from now on.
    void hold() {
        holds = true;
    }

    /// Adds a piece.
    ///
    /// @param dropped whether the response has no content, as one to HEAD
    void add(Body piece, boolean dropped) {
        pieces.add(piece);
        if (holds) {
            held.add(piece);
        } else {
            take(piece, dropped);
        }
    }

    /// Reads the held pieces and releases them, as if they were sent.
    void releaseHeld(boolean dropped) {
        for (Body piece : held) {
            take(piece, dropped);
        }
        held.clear();
    }

    /// Releases the held pieces unread. Allocates nothing.
    void freeHeld() {
        for (int i = 0; i < held.size(); i++) {
            @Nullable Runnable released = held.get(i).released();
            if (released != null) {
                released.run();
            }
        }
        held.clear();
    }

    /// Forgets everything. Allocates nothing.
    void clear() {
        pieces.clear();
        held.clear();
        bytes.reset();
    }

    /// Returns the pieces in which the content was written.
    List<Body> pieces() {
        return List.copyOf(pieces);
    }

    /// Returns the bytes that were read.
    byte[] bytes() {
        return bytes.toByteArray();
    }

    /// Returns the number of bytes that were read.
    int size() {
        return bytes.size();
    }

    private void take(Body piece, boolean dropped) {
        switch (piece) {
            case Body.Empty _ -> {}
            case Body.Bytes part -> {
                byte[] content = new byte[part.buffer().remaining()];
                part.buffer().get(part.buffer().position(), content);
                keep(content, dropped);
            }
            case Body.FileRegion region -> keep(readRegion(region), dropped);
            case Body.Held _ -> throw new AssertionError("This exchange takes no conduits");
        }
        piece.release();
    }

    private void keep(byte[] content, boolean dropped) {
        if (!dropped) {
            bytes.writeBytes(content);
        }
    }

    private static byte[] readRegion(Body.FileRegion region) {
        try {
            FileChannel file = region.file();
            ByteBuffer content = ByteBuffer.allocate((int) region.length());
            int n = 0;
            while (n >= 0 && content.hasRemaining()) {
                n = file.read(content, region.position() + content.position());
            }
            return Arrays.copyOf(content.array(), content.position());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
