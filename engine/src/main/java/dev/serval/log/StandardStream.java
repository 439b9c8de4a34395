package dev.serval.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/// The standard output or error of the process as the channel of a log. It is used as it is, because a
/// socket, such as the journal's, cannot be opened by its name (open(2): ENXIO), and a pipe may belong
/// to another user. It stays open, because the process prints there, too. Owned by the writer's thread.
///
/// @param to the stream
record StandardStream(FileChannel to) implements WritableByteChannel {
    private static final Path OUT = Path.of("/dev/stdout");
    private static final Path ERR = Path.of("/dev/stderr");

    /// Returns whether a file is one of the streams.
    static boolean is(Path file) {
        return file.equals(OUT) || file.equals(ERR);
    }

    /// Returns the stream of such a file.
    static StandardStream of(Path file) {
        FileDescriptor stream = file.equals(ERR) ? FileDescriptor.err : FileDescriptor.out;
        return new StandardStream(new FileOutputStream(stream).getChannel());
    }

    @Override
    public int write(ByteBuffer lines) throws IOException {
        return to.write(lines);
    }

    @Override
    public boolean isOpen() {
        return to.isOpen();
    }

    @Override
    public void close() {
        // The process still prints there.
    }
}
