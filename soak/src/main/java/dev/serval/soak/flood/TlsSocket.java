package dev.serval.soak.flood;

import dev.serval.testkit.TlsClient;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A blocking socket with TLS. Used by one thread at a time.
record TlsSocket(SocketChannel channel, TlsClient tls) {
    private static final int READ_BYTES = 32 << 10;

    /// Sends bytes, after the handshake.
    void send(byte[] bytes) throws IOException {
        tls.send(bytes, 0, bytes.length);
        flush();
    }

    /// Waits for bytes.
    ///
    /// @return what they say; nothing if they were for TLS
    /// @throws EOFException if the server has closed
    byte[] receive() throws IOException {
        flush();
        ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
        int n = channel.read(in);
        if (n < 0) {
            throw new EOFException("the server closed");
        }
        tls.receive(in.array(), 0, n);
        flush();
        return tls.take();
    }

    private void flush() throws IOException {
        ByteBuffer out = ByteBuffer.wrap(tls.toSend());
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }
}
