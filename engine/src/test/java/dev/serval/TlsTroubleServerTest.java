package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.loop.ReportLog;
import dev.serval.policy.LabelledCounter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TestLibrary;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests what a server tells of handshakes that fail.
@Timeout(120)
final class TlsTroubleServerTest {
    private static final TestKeys SERVER = TestKeys.local();
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final int CLIENTS = 3;

    private final Logger logger = Logger.getLogger(ReportLog.class.getName());
    private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord one) {
                    logged.add(one);
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setLevel(null);
    }

    private List<String> texts(Level level, String words) {
        return logged.stream()
                .filter(one -> one.getLevel().equals(level) && one.getMessage().contains(words))
                .map(LogRecord::getMessage)
                .toList();
    }

    @Test
    void refusedCertificatesAreCountedAndOneIsAWarning() throws Exception {
        TestKeys old = TestKeys.signedBy(AUTHORITY, "EC", "dns:a.test", "-startdate", "-10d");
        try (Serval server = start()) {
            for (int i = 0; i < CLIENTS; i++) {
                refused(server, TlsClient.of(old.showing(SERVER), "TLSv1.2"));
            }
            Await.until(
                    "they are counted",
                    () ->
                            server.metrics()
                                    .sums(LabelledCounter.TLS_FAILURES)
                                    .equals(Map.of("client_certificate", (long) CLIENTS)));
            Await.until(
                    "each is logged",
                    () -> texts(Level.FINE, "handshake of 127.0.0.1 has failed").size() == CLIENTS);
            assertThat(texts(Level.WARNING, ""))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "The TLS handshake of 127.0.0.1 was refused, because its certificate is"
                                    + " not accepted: NotAfter: ")
                    .endsWith("There is at most one such message a minute.");
        }
    }

    @Test
    void clientsWithoutACertificateAreNoWarning() throws Exception {
        try (Serval server = start()) {
            refused(server, TlsClient.of(SERVER.trusting(), "TLSv1.2"));
            Await.until(
                    "it is logged",
                    () -> texts(Level.FINE, "handshake of 127.0.0.1 has failed").size() == 1);
            assertThat(server.metrics().sums(LabelledCounter.TLS_FAILURES))
                    .isEqualTo(Map.of("no_client_certificate", 1L));
            assertThat(texts(Level.WARNING, "")).isEmpty();
        }
    }

    private static void refused(Serval server, TlsClient client) {
        assertThatThrownBy(() -> RawClient.connect(server.addresses().getFirst(), client))
                .hasMessageContaining("cannot connect");
    }

    private static Serval start() throws Exception {
        return Serval.builder()
                .listen(
                        new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .withTls(
                                        TestLibrary.of(
                                                new TlsSettings(
                                                        List.of(
                                                                new KeyFiles(
                                                                        SERVER.certificate(),
                                                                        SERVER.key())),
                                                        TlsProfile.INTERMEDIATE,
                                                        new ClientCertificates(
                                                                ClientCertificates.Asked.NEED,
                                                                AUTHORITY.certificate())))))
                .get("/", x -> x.text("here"))
                .start();
    }
}
