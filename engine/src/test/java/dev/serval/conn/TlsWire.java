package dev.serval.conn;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.testkit.Wire;
import dev.serval.tls.JdkTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/// The client's end of a connection with TLS, over another wire. What is written before the handshake
/// is complete waits.
final class TlsWire implements Wire {
    private static final SSLContext CONTEXT = TestKeys.local().trusting();
    private static final int ROOM = 64 << 10;

    private final Wire wire;
    private final TlsClient client;
    private final byte[] received = new byte[64 << 10];
    private byte[] plain = {};
    private int plainAt;
    private boolean broken;

    private TlsWire(Wire wire, TlsClient client) {
        this.wire = wire;
        this.client = client;
        flush();
    }

    /// Begins a handshake over another wire.
    ///
    /// @param protocols what the client offers by ALPN
    static TlsWire connect(Wire wire, String... protocols) {
        try {
            return new TlsWire(wire, TlsClient.of(CONTEXT).offering(protocols).begin());
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Encrypts the connections of a protocol with the key that the clients trust. Its handshakes do
    /// all work on the loop, because the tests in memory wait for no thread.
    static Protocol over(Protocol plain) {
        TestKeys keys = TestKeys.local();
        try {
            return new TlsProtocol(
                    plain,
                    JdkTls.of(keys.certificate(), keys.key()),
                    (_, work) -> {
                        work.run();
                        return true;
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int room() {
        return client.isAgreed() ? wire.room() : Math.min(wire.room(), ROOM - client.waiting());
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        try {
            client.send(bytes, from, length);
        } catch (SSLException e) {
            broken = true;
        }
        flush();
    }

    /// Returns [#RESET] also if the stream ends without its last record.
    @Override
    public int read(byte[] into) {
        while (plainAt == plain.length) {
            if (broken) {
                return RESET;
            }
            if (client.sawEnd()) {
                return END;
            }
            int n = wire.read(received);
            if (n <= 0) {
                return n == END ? RESET : n;
            }
            receive(n);
        }
        int n = Math.min(into.length, plain.length - plainAt);
        System.arraycopy(plain, plainAt, into, 0, n);
        plainAt += n;
        return n;
    }

    private void receive(int n) {
        try {
            client.receive(received, 0, n);
        } catch (SSLException e) {
            broken = true;
        }
        plain = client.take();
        plainAt = 0;
        flush();
    }

    private void flush() {
        byte[] out = client.toSend();
        if (out.length > 0) {
            wire.write(out, 0, out.length);
        }
    }

    @Override
    public boolean advance(boolean reads) {
        if (!client.isAgreed()
                && plainAt == plain.length) { // or a client that only writes would wait
            int n = wire.read(received);
            if (n > 0) {
                receive(n);
            }
        }
        return wire.advance(reads || !client.isAgreed());
    }

    @Override
    public void end() {
        try {
            client.end();
        } catch (SSLException e) {
            broken = true;
        }
        flush();
        if (client.isAgreed()) {
            wire.end();
        }
    }

    @Override
    public void reset() {
        wire.reset();
    }

    @Override
    public void close() {
        wire.close();
    }
}
