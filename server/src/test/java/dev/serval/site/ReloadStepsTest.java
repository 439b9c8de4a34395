package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Mounted;
import dev.serval.settings.Place;
import dev.serval.settings.Problems;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The late steps of changes of the configuration of a server in this process: what is refused there, and
/// what waits at an address.
@Timeout(120)
final class ReloadStepsTest {
    private static final String CONFIG =
            """
            applications.logs = "none"
            [[mount]]
            folder = "one"
            """;
    private static final String PLAIN = "[[listener]]\naddress = \"0\"\n";

    @TempDir Path folder;
    private final SiteLogs logs = new SiteLogs();
    private Path file;
    private @Nullable Serval serval;

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("serval.toml");
        Files.writeString(
                Files.createDirectories(folder.resolve("one")).resolve("index.html"), "one");
    }

    @AfterEach
    void stop() {
        if (serval != null) {
            serval.close();
        }
        logs.close();
    }

    private RunOptions options(String text) throws IOException {
        Files.writeString(file, text);
        Problems problems = new Problems();
        @Nullable SettingsFile read = SettingsFile.read(file, Map.of(), problems);
        assertThat(problems.sentences()).isEmpty();
        return Objects.requireNonNull(read).options();
    }

    private LiveSite site(RunOptions options) throws IOException {
        Applications apps = new Applications(System.out, System.err, options.apps());
        Map<Place, Mounted> mounted = new LinkedHashMap<>();
        options.served().mounts().forEach(each -> mounted.put(each.place(), Chains.of(each)));
        logs.prepare(options.logs());
        logs.use(options.logs());
        Rules rules = Rules.none(logs).changedTo(options.served());
        RunningSite running = RunningSite.start(options, apps, mounted, rules, logs);
        serval = running.serval();
        return running.site();
    }

    private int status() {
        SocketAddress address = Objects.requireNonNull(serval).addresses().getFirst();
        return RawClient.get(address, "/").status();
    }

    /// The certificate can be read when the configuration is checked, and not a moment later.
    @Test
    void listenerThatCannotBeServedSoIsTriedAgainByTheNextReload() throws Exception {
        Path certificate = folder.resolve("cert.pem");
        Files.copy(TestKeys.local().certificate(), certificate);
        Files.copy(TestKeys.local().key(), folder.resolve("key.pem"));
        AtomicBoolean away = new AtomicBoolean(true);
        Rereading rereading =
                (_, problems) -> {
                    @Nullable SettingsFile read = SettingsFile.read(file, Map.of(), problems);
                    try {
                        if (away.get()) {
                            Files.delete(certificate);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return read == null ? null : read.options();
                };
        RunOptions before = options(CONFIG + PLAIN);
        Reloads reloads = new Reloads(site(before), before, rereading);
        Files.writeString(
                file, CONFIG + PLAIN + "tls.certificate = \"cert.pem\"\ntls.key = \"key.pem\"\n");
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Failed.class);
        assertThat(status()).isEqualTo(200);
        away.set(false);
        Files.copy(TestKeys.local().certificate(), certificate);
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(status()).as("plain HTTP to TLS").isEqualTo(400);
    }

    /// With epoll, the server accepts it with its first bytes.
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0 [::]", "127.0.0.1 0.0.0.0 [::] 0.0.0.0"})
    void connectionThatHasSentNothingYetSurvivesAChangeOfItsAddress(String all) throws Exception {
        int port = FreePort.find();
        List<String> addresses = List.of(all.split(" "));
        RunOptions present = options(listeningAt(addresses.getFirst(), port));
        LiveSite site = site(present);
        for (String each : addresses.subList(1, addresses.size() - 1)) {
            RunOptions next = options(listeningAt(each, port));
            site.apply(present, next);
            present = next;
        }
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            site.apply(present, options(listeningAt(addresses.getLast(), port)));
            client.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().readAllBytes())
                    .asString(StandardCharsets.US_ASCII)
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private static String listeningAt(String address, int port) {
        return CONFIG + PLAIN.replace("\"0\"", "\"" + address + ":" + port + "\"");
    }

    @Test
    void logsAreAsTheyWereBefore() throws Exception {
        String log = "[[log]]\nfile = \"LOG\"\n";
        RunOptions before = options(CONFIG + PLAIN + log.replace("LOG", "one.log"));
        LiveSite site = site(before);
        Path two = folder.resolve("two.log");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String other = PLAIN.replace("\"0\"", "\"" + taken.getLocalPort() + "\"");
            RunOptions after = options(CONFIG + PLAIN + other + log.replace("LOG", "two.log"));
            assertThatThrownBy(() -> site.apply(before, after))
                    .hasMessageContaining("Address already in use");
            assertThat(two).isEmptyFile();
            Files.delete(two);
            logs.use(after.logs()); // as a change that is refused at its last step
            logs.restore(before.logs());
        }
        assertThat(status()).isEqualTo(200);
        logs.reopen();
        assertThat(Files.readAllLines(folder.resolve("one.log"))).hasSize(1);
        assertThat(two).doesNotExist();
    }
}
