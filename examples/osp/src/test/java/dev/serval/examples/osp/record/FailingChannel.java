package dev.serval.examples.osp.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file on a disk that fails when the test says so. Used by one thread.
final class FailingChannel extends FileChannel {
    private final FileChannel real;
    private long bytesLeft = Long.MAX_VALUE;
    private boolean failing;
    private int forced;

    private FailingChannel(FileChannel real) {
        this.real = real;
    }

    static FailingChannel open(Path file) throws IOException {
        return new FailingChannel(
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE));
    }

    /// Takes so many bytes more. After them nothing can be written, cut or forced.
    void failAfterBytes(long count) {
        failing = true;
        bytesLeft = count;
    }

    void recover() {
        failing = false;
        bytesLeft = Long.MAX_VALUE;
    }

    /// Returns how often the file was forced to the disk.
    int forced() {
        return forced;
    }

    private void check() throws IOException {
        if (failing) {
            throw new IOException("the disk fails");
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (bytesLeft == 0) {
            throw new IOException("the disk is full");
        }
        ByteBuffer part =
                source.slice(source.position(), (int) Math.min(source.remaining(), bytesLeft));
        int count = real.write(part);
        source.position(source.position() + count);
        bytesLeft -= count;
        return count;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        check();
        real.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        check();
        forced++;
        real.force(metadata);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return real.read(target);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return real.read(target, position);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
