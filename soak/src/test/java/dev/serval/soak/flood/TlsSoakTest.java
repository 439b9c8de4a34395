package dev.serval.soak.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.soak.BuiltServer;
import dev.serval.soak.subject.Remains;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsSoakTest {
    private static final TlsSoak.Settings TEN =
            new TlsSoak.Settings(List.of("serval"), 10, 1, true, false, "jdk");
    private static final Remains BEFORE = new Remains(1000, Map.of(), 10, 20);

    /// As [TlsSoak] allows for ten connections.
    private static final long MORE_MAX = (8 << 20) + 10 * (16 << 10);

    private static TlsSoak.Beside beside(long more, GoodClient.Outcome good, String... faults) {
        Remains held = new Remains(1000 + more, Map.of(), 10, 20);
        return new TlsSoak.Beside(held, good(1, 0, 0), 1, good, List.of(faults));
    }

    private static GoodClient.Outcome good(double millis, int timeouts, int wrong) {
        return new GoodClient.Outcome(List.of(1.0, millis), millis, timeouts, wrong);
    }

    @Test
    void keepsThePromiseAtItsLimits() {
        assertThat(TlsSoak.broken(TEN, beside(MORE_MAX, good(100, 0, 0)), BEFORE, BEFORE))
                .isEmpty();
    }

    @Test
    void streamMayTakeHalfAsMuchMore() {
        TlsSoak.Settings streams =
                new TlsSoak.Settings(List.of("serval"), 10, 1, true, true, "jdk");
        long most = MORE_MAX + 10 * (8 << 10);
        GoodClient.Outcome good = good(1, 0, 0);
        assertThat(TlsSoak.broken(streams, beside(most, good), BEFORE, BEFORE)).isEmpty();
        assertThat(TlsSoak.broken(streams, beside(most + 1, good), BEFORE, BEFORE)).hasSize(1);
    }

    /// Only their time may be worse than beside the idle connections.
    @Test
    void answersDuringHandshakesMustBeRight() {
        TlsSoak.Beside beside =
                new TlsSoak.Beside(BEFORE, good(3000, 1, 2), 1, good(1, 0, 0), List.of());
        assertThat(TlsSoak.broken(TEN, beside, BEFORE, BEFORE))
                .containsExactly("Calm clients got 2 wrong answers and 1 timeouts");
    }

    @Test
    void namesWhatBreaksThePromise() {
        Remains grown = new Remains(1001 + (8 << 20), Map.of(), 10, 20);
        assertThat(
                        TlsSoak.broken(
                                TEN,
                                beside(MORE_MAX + 1, good(100.1, 1, 2), "no answer"),
                                BEFORE,
                                grown))
                .hasSize(5)
                .contains("no answer")
                .anyMatch(line -> line.contains("The heap grew"))
                .anyMatch(line -> line.contains("The connections take 8,552,449 bytes of heap"))
                .anyMatch(line -> line.contains("2 wrong answers and 1 timeouts"))
                .anyMatch(line -> line.contains("p99"));
    }

    /// A real server with 300 connections. `serval soak tls` and `streams` have 10,000, and judge times.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("long")
    void idleConnectionsTakeLittleAndLeaveNothing(boolean streams) throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        TlsSoak.Settings settings =
                new TlsSoak.Settings(
                        BuiltServer.command("-Xmx256m"), 300, 1, false, streams, "jdk");
        assertThat(new TlsSoak(settings, out).run())
                .as(text.toString(StandardCharsets.UTF_8))
                .isTrue();
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("300 idle connections with TLS", "During ", "Beside the idle");
    }
}
