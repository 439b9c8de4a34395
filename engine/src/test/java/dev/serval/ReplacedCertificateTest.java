package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TestLibrary;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import dev.serval.tls.WatchedTls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A certificate and its key are replaced while clients come and others are there.
@Timeout(120)
final class ReplacedCertificateTest {
    private static final int CLIENTS = 4;
    private static final TestKeys FIRST = TestKeys.local();
    private static final TestKeys SECOND = TestKeys.make("EC", "dns:localhost,ip:127.0.0.1");
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir private Path folder;
    private final SSLContext trust = FIRST.trusting(SECOND);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Certificate> last = new AtomicReference<>();

    @Test
    void noClientFails() throws Exception {
        put(FIRST);
        KeyFiles files = new KeyFiles(folder.resolve("cert.pem"), folder.resolve("key.pem"));
        TlsSettings settings = new TlsSettings(List.of(files), TlsProfile.INTERMEDIATE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Serval server =
                        Serval.builder()
                                .loops(2)
                                .listen(0, WatchedTls.of(settings.withLibrary(TestLibrary.PRESENT)))
                                .get("/", x -> x.text("here"))
                                .start();
                RawClient open = connect(server)) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(CompletableFuture.runAsync(() -> visit(server), threads));
            }
            try {
                for (TestKeys next : List.of(SECOND, FIRST, SECOND)) {
                    put(next);
                    Certificate shown = certificate(next);
                    Await.until("the new certificate", () -> shown.equals(last.get()));
                }
            } finally {
                over.set(true);
            }
            clients.forEach(CompletableFuture::join);
            assertThat(open.exchange(REQUEST).text()).isEqualTo("here");
        }
    }

    private RawClient connect(Serval server) {
        return RawClient.connect(server.addresses().getFirst(), TlsClient.of(trust));
    }

    /// Makes connections, each with a request, until the end.
    private void visit(Serval server) {
        while (!over.get()) {
            TlsClient tls = TlsClient.of(trust);
            try (RawClient client = RawClient.connect(server.addresses().getFirst(), tls)) {
                assertThat(client.exchange(REQUEST).text()).isEqualTo("here");
                last.set(tls.session().getPeerCertificates()[0]);
            } catch (IOException e) {
                throw new AssertionError("no certificate", e);
            }
        }
    }

    private static Certificate certificate(TestKeys keys) throws Exception {
        try (InputStream in = Files.newInputStream(keys.certificate())) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /// Replaces both files, one after the other.
    private void put(TestKeys keys) throws IOException {
        put(keys.certificate(), "cert.pem");
        put(keys.key(), "key.pem");
    }

    private void put(Path file, String name) throws IOException {
        Files.copy(file, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
}
