package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import dev.serval.testkit.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class LoadRunTest {
    /// One round of a second, and no warm-up.
    private static final Settings TINY = new Settings(1, 1, 0, 0.03, 1.0, 1.0, 1, 1.03);

    private static final Cell.Load LOAD =
            Cell.Load.plain("tiny", "tiny", "13.txt", 1, Cell.ClientKind.OWN, Gate.NONE);

    private static Stage stage() throws IOException {
        return Stage.create(Map.of("13.txt", 13), Cpus.unpinned(Set.of(0)));
    }

    private static LoadRun loads(Stage stage) throws IOException {
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return LoadRun.on(new Bench(stage, new Proc(Path.of("/proc")), TINY, out));
    }

    private static RunningPeer running(int port) {
        return new RunningPeer("one", port, ProcessHandle.current().pid(), () -> {});
    }

    @Test
    void roundWithoutAnAnswerFails() throws IOException {
        try (Stage stage = stage();
                ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            Work work = new Work(LOAD, stage.site().page("13.txt"), null);
            RunningPeer server = running(silent.getLocalPort());
            assertThatThrownBy(() -> loads(stage).measured(work, server))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessage("no request was answered in a round");
        }
    }

    @Test
    void serverWithTlsMakesHandshakesBeforeItIsLoaded() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 9);
        server.setHttpsConfigurator(new HttpsConfigurator(context()));
        try (Stage stage = stage()) {
            Site.Page page = stage.site().page("13.txt");
            byte[] content = Files.readAllBytes(stage.site().root().resolve("13.txt"));
            server.createContext(
                    "/",
                    exchange -> {
                        asked.incrementAndGet();
                        boolean head = exchange.getRequestMethod().equals("HEAD");
                        exchange.sendResponseHeaders(200, head ? -1 : content.length);
                        if (!head) {
                            exchange.getResponseBody().write(content);
                        }
                        exchange.close();
                    });
            server.start();
            Work work = new Work(LOAD, Protocol.HTTPS, List.of(page), null);
            loads(stage).warm(work, running(server.getAddress().getPort()));
        } finally {
            server.stop(0);
        }
        assertThat(asked.get()).as("the check and the handshakes").isGreaterThan(2);
    }

    private static SSLContext context() throws Exception {
        TestKeys keys = TestKeys.local();
        KeyStore store =
                KeyStore.getInstance(keys.store().toFile(), TestKeys.PASSPHRASE.toCharArray());
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, TestKeys.PASSPHRASE.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
