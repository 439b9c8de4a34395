package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.policy.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SystemLimitsTest {
    private final List<String> warnings = new ArrayList<>();

    private static EngineChoice engine(int connections, int backlog, int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new EngineChoice(
                List.of(
                        new ListenerChoice(
                                address,
                                null,
                                null,
                                backlog,
                                null,
                                null,
                                0,
                                ListenerChoice.Hsts.NONE)),
                "auto",
                0,
                Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = connections),
                null,
                Duration.ZERO);
    }

    @Test
    void warnsIfTheProcessHasFewerDescriptorsThanConnections() {
        SystemLimits.descriptors(engine(1000, 1, 1), 1500, warnings);
        assertThat(warnings).isEmpty();
        SystemLimits.descriptors(engine(1001, 1, 1), 1500, warnings);
        assertThat(warnings).singleElement().asString().contains("limits.connections is 1001");
    }

    @Test
    void usualNumberOfConnectionsWarnsOnlyIfTheProcessHasFew() {
        SystemLimits.descriptors(engine(20_000, 1, 1), 20_000, warnings);
        assertThat(warnings).isEmpty();
        SystemLimits.descriptors(engine(20_000, 1, 1), 4097, warnings);
        assertThat(warnings).isEmpty();
        SystemLimits.descriptors(engine(20_000, 1, 1), 4096, warnings);
        assertThat(warnings).hasSize(1);
    }

    /// Such as in a container whose file system is read-only.
    @Test
    void warnsIfNothingCanBeWrittenToTheTemporaryFolder(@TempDir Path folder) {
        SystemLimits.temporary(folder, warnings);
        assertThat(warnings).isEmpty();
        SystemLimits.temporary(folder.resolve("none"), warnings);
        assertThat(warnings).singleElement().asString().contains(folder.resolve("none").toString());
    }

    @Test
    void warnsIfTheSystemQueuesFewerConnections() {
        SystemLimits.backlog(engine(1, 128, 1), 128, warnings);
        SystemLimits.backlog(engine(1, 128, 1), 0, warnings); // unknown
        assertThat(warnings).isEmpty();
        List<ListenerChoice> both = new ArrayList<>(engine(1, 129, 1).listeners());
        both.addAll(engine(1, 130, 2).listeners());
        EngineChoice two = new EngineChoice(both, "auto", 0, Limits.DEFAULT, null, Duration.ZERO);
        SystemLimits.backlog(two, 128, warnings); // once is enough
        assertThat(warnings).singleElement().asString().contains("net.core.somaxconn to 129");
    }

    @Test
    void warnsOfPortsThatNeedRoot() {
        SystemLimits.ports(engine(1, 1, 1024), 1024, warnings);
        SystemLimits.ports(engine(1, 1, 0), 1024, warnings); // any free port
        assertThat(warnings).isEmpty();
        SystemLimits.ports(engine(1, 1, 80), 1024, warnings);
        assertThat(warnings).singleElement().asString().contains("Port 80 needs root");
    }

    @Test
    void readsNumbersOfTheSystemWhole() throws IOException {
        Path file = Path.of("/proc/sys/net/core/somaxconn");
        assumeTrue(Files.exists(file));
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            assertThat(SystemLimits.number(file)).isEqualTo(Long.parseLong(lines.readLine()));
        }
        assertThat(SystemLimits.number(Path.of("/nothing"))).isZero();
    }
}
