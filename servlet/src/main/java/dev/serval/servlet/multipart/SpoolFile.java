package dev.serval.servlet.multipart;

import dev.serval.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A file of a [Spool]. Order of calls: any number of [#write], [#finish], then reads, and at the
/// end [#delete] or [#moveTo]. A file whose writing fails is to be deleted by the caller. Used by
/// one thread at a time.
final class SpoolFile {
    private final Spool spool;
    private final Path path;
    private final WritableByteChannel out;
    private long length;

    SpoolFile(Spool spool, Path path, WritableByteChannel out) {
        this.spool = spool;
        this.path = path;
        this.out = out;
    }

    /// Returns the size in bytes.
    long length() {
        return length;
    }

    /// Appends bytes.
    ///
    /// @throws MultipartException if the quota of the spool is used up
    void write(byte[] bytes, int from, int to) throws IOException {
        int added = to - from;
        if (!spool.reserve(added)) {
            throw new MultipartException(
                    Status.INSUFFICIENT_STORAGE,
                    "The quota of the folder for uploads is used up: raise it, or wait until other"
                            + " requests end.");
        }
        length += added;
        ByteBuffer left = ByteBuffer.wrap(bytes, from, added);
        while (left.hasRemaining()) {
            out.write(left);
        }
    }

    /// Ends writing.
    void finish() throws IOException {
        out.close();
    }

    /// Opens the content for reading.
    InputStream open() throws IOException {
        return Files.newInputStream(path);
    }

    /// Moves the file out of the spool, with the permissions of a file that the application creates
    /// itself.
    void moveTo(Path target) throws IOException {
        spool.share(path); // before, so that others find a file that they may read
        try {
            Files.move(path, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            spool.unshare(path);
            throw e;
        }
        release();
    }

    /// Deletes the file. A second call does nothing.
    void delete() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(path);
            release();
        }
    }

    private void release() {
        spool.release(length);
        length = 0;
    }
}
