package dev.serval.testkit.layer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// The socket itself. Owned by the thread of its test.
public record SocketLayer(SocketChannel channel) implements Layer {
    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public void end() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public boolean mustRead() {
        return false;
    }
}
