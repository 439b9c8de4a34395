package dev.serval.boringssl;

import dev.serval.testkit.TlsClient;
import dev.serval.tls.TlsProvider;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// Moves bytes between a client and an engine of the library, as a transport does, without a loop.
final class Talk {
    private static final int HEADER_BYTES = 5;

    final SSLEngine engine;
    final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final ByteBuffer records = ByteBuffer.allocateDirect(1 << 16);
    private final ByteBuffer sealed = ByteBuffer.allocateDirect(1 << 17);
    private final ByteBuffer opened = ByteBuffer.allocate(1 << 15);
    private final ByteArrayOutputStream own = new ByteArrayOutputStream();
    private boolean agreed;
    private int tasks;

    Talk(TlsProvider provider) throws SSLException {
        engine = provider.engine(new InetSocketAddress(443));
        engine.beginHandshake();
    }

    boolean isAgreed() {
        return agreed;
    }

    /// Returns how much work the engine has given to other threads.
    int tasks() {
        return tasks;
    }

    /// Moves all that both sides have to send.
    void exchange(TlsClient client) throws SSLException {
        byte[] out = client.toSend();
        boolean moves = true;
        while (moves) {
            receive(out);
            byte[] in = takeOwn();
            client.receive(in, 0, in.length);
            out = client.toSend();
            moves = out.length > 0;
        }
    }

    /// Opens whole records.
    void receive(byte[] bytes) throws SSLException {
        int at = 0;
        while (at < bytes.length) {
            int length = HEADER_BYTES + (((bytes[at + 3] & 0xff) << 8) | (bytes[at + 4] & 0xff));
            records.clear().put(bytes, at, length).flip();
            while (records.hasRemaining()) {
                at += open();
                work();
                if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                    own.writeBytes(sealedOwn());
                }
            }
        }
    }

    private int open() throws SSLException {
        SSLEngineResult result = engine.unwrap(records, opened.clear());
        note(result);
        read.write(opened.array(), 0, opened.position());
        return result.bytesConsumed();
    }

    private void work() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            tasks++;
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    /// Returns what the engine itself has sent.
    byte[] takeOwn() {
        byte[] bytes = own.toByteArray();
        own.reset();
        return bytes;
    }

    /// Returns what the engine itself has to send, such as an alert.
    byte[] sealedOwn() throws SSLException {
        sealed.clear();
        do {
            note(engine.wrap(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1, sealed));
        } while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
        return bytes();
    }

    /// Seals content in parts into one record.
    byte[] seal(ByteBuffer... parts) throws SSLException {
        engine.wrap(parts, 0, parts.length, sealed.clear());
        return bytes();
    }

    private byte[] bytes() {
        sealed.flip();
        byte[] bytes = new byte[sealed.remaining()];
        sealed.get(bytes);
        return bytes;
    }

    private void note(SSLEngineResult result) {
        agreed |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    void free() {
        ((TlsProvider.Held) engine).free();
    }
}
