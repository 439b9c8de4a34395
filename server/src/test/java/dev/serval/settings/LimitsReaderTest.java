package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Http2Limits;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadRow;
import dev.serval.settings.MountRules.MountLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each key of limits sets the limit of its name, and no other.
final class LimitsReaderTest {
    @TempDir private Path folder;

    @Test
    void eachKeySetsItsLimit() throws IOException {
        Limits limits =
                new WrittenFile(folder)
                        .right(
                                """
                                [limits]
                                connections = 11
                                connections-per-address = 12
                                requests = 13
                                requests-per-connection = 14
                                line = "1k"
                                head = "2k"
                                fields = 15
                                content = "3k"
                                head-time = "16s"
                                handshake-time = "23s"
                                idle-time = "17s"
                                stall-time = "18s"
                                grace-time = "19s"
                                min-rate = 20
                                request-time = "21s"
                                memory = "22m"
                                workers = 24
                                """)
                        .engine()
                        .limits();
        assertThat(limits)
                .isEqualTo(
                        Limits.DEFAULT.with(draft -> {
                            draft.counts.connectionsMax = 11;
                            draft.counts.perAddressMax = 12;
                            draft.counts.exchangesMax = 13;
                            draft.counts.requestsPerConnectionMax = 14;
                            draft.head.lineMaxBytes = 1 << 10;
                            draft.head.maxBytes = 2 << 10;
                            draft.head.fieldsMax = 15;
                            draft.content.maxBytes = 3 << 10;
                            draft.pace.headNanos = TimeUnit.SECONDS.toNanos(16);
                            draft.pace.handshakeNanos = TimeUnit.SECONDS.toNanos(23);
                            draft.pace.idleNanos = TimeUnit.SECONDS.toNanos(17);
                            draft.pace.stallNanos = TimeUnit.SECONDS.toNanos(18);
                            draft.pace.graceNanos = TimeUnit.SECONDS.toNanos(19);
                            draft.pace.minBytesPerSecond = 20;
                            draft.pace.exchangeNanos = TimeUnit.SECONDS.toNanos(21);
                            draft.buffers.heldMaxBytes = 22 << 20;
                            draft.workers.workingMax = 24;
                        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory = \"1m\"", "workers = 5"})
    void listenersShareSomeLimits(String limit) throws IOException {
        WrittenFile file = new WrittenFile(folder);
        String listener = "[[listener]]\naddress = \"8081\"\n";
        String shared = "limits." + limit + "\n" + listener + "limits.fields = 5";
        assertThat(file.right(shared).engine().limits()).isNotEqualTo(Limits.DEFAULT);
        assertThat(file.wrong(listener + "limits." + limit))
                .containsExactly(
                        "serval.toml:3:1: There is no key "
                                + limit.substring(0, limit.indexOf(' '))
                                + " in [listener.limits]: it belongs to [limits].");
    }

    @Test
    void eachKeyOfHttp2SetsItsLimit() throws IOException {
        Http2Limits http2 =
                new WrittenFile(folder)
                        .right(
                                """
                                [http2]
                                enabled = false
                                streams = 11
                                window = 65535
                                connection-window = "70k"
                                frame = "2k"
                                ping-time = "12s"
                                """)
                        .engine()
                        .limits()
                        .http2();
        assertThat(http2)
                .isEqualTo(
                        Http2Limits.DEFAULT.with(draft -> {
                            draft.enabled = false;
                            draft.streamsMax = 11;
                            draft.streamWindowMaxBytes = 65_535;
                            draft.streamWindowBytes = 65_535;
                            draft.connectionWindowMaxBytes = 70 << 10;
                            draft.connectionWindowBytes = 70 << 10;
                            draft.frameMaxBytes = 2 << 10;
                            draft.pingNanos = TimeUnit.SECONDS.toNanos(12);
                        }));
    }

    /// The windows grow to those of the file, and begin as usual.
    @Test
    void largerWindowsBeginAsUsual() throws IOException {
        Http2Limits http2 =
                new WrittenFile(folder)
                        .right("http2.window = \"4m\"\nhttp2.connection-window = \"8m\"")
                        .engine()
                        .limits()
                        .http2();
        assertThat(http2)
                .isEqualTo(
                        Http2Limits.DEFAULT.with(draft -> {
                            draft.streamWindowMaxBytes = 4 << 20;
                            draft.connectionWindowMaxBytes = 8 << 20;
                        }));
    }

    @Test
    void listenerMayHaveItsOwnHttp2() throws IOException {
        var listeners =
                new WrittenFile(folder)
                        .right(
                                """
                                [http2]
                                streams = 7
                                frame = "4k"
                                [[listener]]
                                address = "8080"
                                [[listener]]
                                address = "8081"
                                http2.streams = 8
                                """)
                        .engine()
                        .listeners();
        assertThat(listeners.get(0).limits()).isNull();
        assertThat(Objects.requireNonNull(listeners.get(1).limits()).http2())
                .isEqualTo(
                        Http2Limits.DEFAULT.with(draft -> {
                            draft.streamsMax = 8;
                            draft.frameMaxBytes = 4 << 10;
                        }));
    }

    @Test
    void eachLoadModeHasItsOwnTable() throws IOException {
        Limits.Loads load =
                new WrittenFile(folder)
                        .right("[load.heavy]\ndelay = \"70ms\"\nconnections = 71\n")
                        .engine()
                        .limits()
                        .load();
        LoadRow usual = Limits.Loads.DEFAULT.heavy();
        assertThat(load)
                .isEqualTo(
                        Limits.Loads.DEFAULT.with(draft ->
                                draft.heavy = usual.from(TimeUnit.MILLISECONDS.toNanos(70), 71)));
    }

    @Test
    void eachLimitOfAMountIsRead() throws IOException {
        Files.createDirectory(folder.resolve("site"));
        MountRules rules =
                new WrittenFile(folder)
                        .right(
                                """
                                [[mount]]
                                folder = "site"
                                limits = { content = "1k", request-time = "2s", min-rate = 3, requests = 4 }
                                """)
                        .served()
                        .rules()
                        .get(Place.at("/"));
        assertThat(rules)
                .isEqualTo(
                        MountRules.of(draft ->
                                draft.limits =
                                        new MountLimits(
                                                1 << 10,
                                                TimeUnit.SECONDS.toNanos(2),
                                                3,
                                                4,
                                                Limits.Rates.NONE)));
    }

    /// So many come at once as in a second, but at least one.
    @Test
    void burstFollowsTheRate() throws IOException {
        assertThat(burst("7200/h")).isEqualTo(2);
        assertThat(burst("90/m")).isEqualTo(1);
        assertThat(burst("30/m")).isEqualTo(1);
    }

    /// The burst of the server holds for a listener that says only its rate.
    @Test
    void rateOfAListenerHasTheBurstOfTheServer() throws IOException {
        String text =
                """
                [limits]
                rate = "10/s"
                rate-burst = 200
                idle-time = "9s"
                [[listener]]
                address = "8081"
                limits = { rate = "50/s" }
                [[listener]]
                address = "8082"
                limits = { rate = "50/s", rate-burst = 7 }
                """;
        assertThat(limitsOfListeners(text))
                .extracting(limits -> limits.rate().burst())
                .containsExactly(200, 7);
        assertThat(limitsOfListeners(text.replace("rate-burst = 200", "")))
                .extracting(limits -> limits.rate().burst())
                .containsExactly(50, 7);
    }

    private List<Limits> limitsOfListeners(String text) throws IOException {
        return new WrittenFile(folder)
                .right(text).engine().listeners().stream()
                        .map(each -> Objects.requireNonNull(each.limits()))
                        .toList();
    }

    private int burst(String rate) throws IOException {
        return new WrittenFile(folder)
                .right("limits.rate = \"" + rate + "\"")
                .engine()
                .limits()
                .rate()
                .burst();
    }
}
