package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.accesslog.LogChoice;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.Place;
import dev.serval.settings.Problems;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
        Listening listening = new Listening(List.of());
        List<ListenerChoice> choices = options.engine().listeners();
        Serval.Builder builder =
                Serval.builder()
                        .loops(1)
                        .withoutFlagWarning()
                        .accessLog(logs.named(LogChoice.SERVER));
        for (ListenerChoice choice : choices) {
            builder.listen(listening.spec(choice));
        }
        Backends backends = new Backends(LrwpChoice.NONE, List.of());
        Routes.compose(mounted, Set.of(), backends, rules, builder::host);
        Serval running = builder.start();
        serval = running;
        listening.started(choices, running.addresses());
        return new LiveSite(
                new LiveSite.Running(running, apps, backends, listening, logs),
                mounted,
                rules,
                null);
    }

    private int status() {
        SocketAddress address = Objects.requireNonNull(serval).addresses().getFirst();
        return RawClient.get(address, "/").status();
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
