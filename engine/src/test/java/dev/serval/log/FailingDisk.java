package dev.serval.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/// A disk on which a number of bytes is free. Then each write fails, as on a full disk, after the
/// bytes that still fit. One thread changes it at a time.
final class FailingDisk implements LogDisk {
    private volatile long free = Long.MAX_VALUE;
    private volatile boolean opens = true;

    /// Sets how many bytes are free.
    void free(long bytes) {
        free = bytes;
    }

    /// Sets whether files can be opened.
    void opens(boolean possible) {
        opens = possible;
    }

    @Override
    public WritableByteChannel open(Path file) throws IOException {
        if (!opens) {
            throw new IOException("Permission denied");
        }
        WritableByteChannel real = LogDisk.SYSTEM.open(file);
        return new WritableByteChannel() {
            @Override
            public int write(ByteBuffer from) throws IOException {
                long left = free;
                if (left == 0) {
                    throw new IOException("No space left on device");
                }
                int fits = (int) Math.min(left, from.remaining());
                ByteBuffer part = from.slice(from.position(), fits);
                real.write(part);
                from.position(from.position() + fits);
                free = left == Long.MAX_VALUE ? left : left - fits;
                return fits;
            }

            @Override
            public boolean isOpen() {
                return real.isOpen();
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }
}
