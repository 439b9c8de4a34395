package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/// Checks that the transport allocates hardly more for a request and its answer than the JDK's engine
/// does by itself.
final class TlsAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 5_000;
    private static final int REQUESTS = 1_000;
    private static final int ROUNDS = 5;
    private static final int MOST_BYTES = 200;
    private static final byte[] REQUEST = new byte[100];
    private static final byte[] ANSWER = new byte[4200];

    /// A server of which a request is asked.
    private interface Server {
        /// Takes the record of a request, and returns how many bytes the answer has allocated.
        long answer(byte[] record) throws SSLException;

        /// Returns the record of the answer.
        byte[] record();
    }

    @Test
    void transportAllocatesHardlyMoreThanTheEngine() throws Exception {
        double bare = bytes(new Bare());
        double whole = bytes(new Whole());
        assertThat(whole)
                .as("beside %s of the engine", bare)
                .isLessThanOrEqualTo(bare + MOST_BYTES);
    }

    /// The smallest result of several rounds counts, because the JVM sometimes allocates on any thread.
    private static double bytes(Server server) throws SSLException {
        ask(server, WARM_UP);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            least = Math.min(least, ask(server, REQUESTS));
        }
        return least / (double) REQUESTS;
    }

    private static long ask(Server server, int times) throws SSLException {
        TlsClient client = server instanceof Bare bare ? bare.client : ((Whole) server).client;
        long bytes = 0;
        for (int i = 0; i < times; i++) {
            client.send(REQUEST, 0, REQUEST.length);
            bytes += server.answer(client.toSend());
            byte[] record = server.record();
            client.receive(record, 0, record.length);
            assertThat(client.take()).hasSize(ANSWER.length);
        }
        return bytes;
    }

    /// The JDK's engine with a buffer for each direction. They are arrays, because the engine allocates
    /// more for each piece of other buffers.
    private static final class Bare implements Server {
        private final TestKeys keys = TestKeys.local();
        private final SSLEngine engine = context(keys).createSSLEngine();
        private final TlsClient client = TlsClient.of(keys.trusting());
        private final ByteBuffer plain = ByteBuffer.allocateDirect(32 << 10);
        private final ByteBuffer in = ByteBuffer.allocate(32 << 10);
        private final ByteBuffer out = ByteBuffer.allocate(32 << 10);
        private final ByteBuffer answer = ByteBuffer.wrap(ANSWER);

        Bare() throws IOException, GeneralSecurityException {
            engine.setUseClientMode(false);
            client.begin();
            while (!client.isAgreed() || isShaking()) {
                shake();
            }
        }

        private boolean isShaking() {
            return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
        }

        private void shake() throws SSLException {
            in.clear().put(client.toSend()).flip();
            HandshakeStatus status = engine.getHandshakeStatus();
            while (status == HandshakeStatus.NEED_WRAP
                    || status == HandshakeStatus.NEED_TASK
                    || in.hasRemaining()) {
                if (status == HandshakeStatus.NEED_TASK) {
                    engine.getDelegatedTask().run();
                } else if (status == HandshakeStatus.NEED_WRAP) {
                    engine.wrap(ByteBuffer.allocate(0), out.clear());
                    byte[] bytes = record();
                    client.receive(bytes, 0, bytes.length);
                } else {
                    engine.unwrap(in, plain.clear());
                }
                status = engine.getHandshakeStatus();
            }
        }

        private static SSLContext context(TestKeys keys)
                throws IOException, GeneralSecurityException {
            KeyStore store = KeyStore.getInstance("PKCS12");
            char[] passphrase = TestKeys.PASSPHRASE.toCharArray();
            try (InputStream in = Files.newInputStream(keys.store())) {
                store.load(in, passphrase);
            }
            KeyManagerFactory factory =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, passphrase);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        }

        @Override
        public long answer(byte[] record) throws SSLException {
            in.clear().put(record).flip();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            engine.unwrap(in, plain.clear());
            engine.wrap(answer.rewind(), out.clear());
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        }

        @Override
        public byte[] record() {
            byte[] bytes = new byte[out.position()];
            out.get(0, bytes);
            return bytes;
        }
    }

    /// The transport below a connection of the loop.
    private static final class Whole implements Server {
        private final TlsPlug plug = new TlsPlug();
        private final TlsClient client;
        private final ByteBuffer answer = ByteBuffer.wrap(ANSWER);

        Whole() throws SSLException {
            plug.neverFails = true;
            plug.onReadable = this::answer;
            client = plug.client();
        }

        private void answer(Connection connection) {
            Input in = connection.in();
            while (in.fill() > 0) {
                in.consume(in.length());
                connection.out().write(answer.rewind(), null);
            }
        }

        @Override
        public long answer(byte[] record) {
            plug.peer().send(record);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            plug.net.loop().turn(false);
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        }

        @Override
        public byte[] record() {
            plug.calls.clear();
            return plug.peer().take();
        }
    }
}
