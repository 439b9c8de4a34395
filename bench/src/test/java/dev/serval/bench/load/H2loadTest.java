package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2loadTest {
    private static final Site.Page PAGE = new Site.Page("/4k.bin", 4096, "");
    private static final Client.Target TARGET =
            new Client.Target(8080, Protocol.H2C, List.of(PAGE), null);
    private static final String OUTPUT =
            """
            starting benchmark...
            Application protocol: h2c

            finished in 1.00s, 100.00 req/s, 400KB/s
            requests: 100 total, 110 started, 100 done, 100 succeeded, 0 failed, 0 errored, 0 timeout
            status codes: 100 2xx, 0 3xx, 0 4xx, 0 5xx
            traffic: 411KB (421000) total, 11.1KB (11110) headers (space savings 38.33%), 400KB (409600) data
            """;

    @TempDir Path folder;

    private Client.Tally parsed(String output, String... micros) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String one : micros) {
            lines.append("1795700202871149\t200\t").append(one).append('\n');
        }
        Path log = Files.writeString(folder.resolve("log"), lines);
        return H2load.parse(output, log, TARGET, 2);
    }

    @Test
    void parsesReportAndLatencies() throws IOException {
        String[] micros = new String[200];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = String.valueOf(5 * (200 - i));
        }
        assertThat(parsed(OUTPUT, micros))
                .isEqualTo(new Client.Tally(100, 409_600, 0, 2_000_000_000, 990));
        assertThat(parsed(OUTPUT, "7", "99999999").p99Micros()).isGreaterThan(50_000_000);
        assertThat(parsed(OUTPUT).p99Micros()).isNaN();
    }

    @Test
    void endsAProgramThatDoesNotEnd() throws IOException {
        Path program = Files.writeString(folder.resolve("h2load"), "#!/bin/sh\nexec sleep 1000\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Cell.Load load = (Cell.Load) Scenario.named("static").cells().getFirst();
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            H2load late = new H2load(program, stage, 0);
            assertThatThrownBy(() -> late.run(TARGET, load, 1))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessage("h2load did not end in the 0 s after its time");
        }
    }

    @Test
    void countsOtherStatusesAndTruncatedContentsAsErrors() throws IOException {
        String moved = OUTPUT.replace("100 2xx, 0 3xx", "97 2xx, 3 3xx");
        assertThat(parsed(moved, "1").errors()).isEqualTo(3);
        String failed =
                OUTPUT.replace("100 succeeded, 0 failed", "97 succeeded, 3 failed")
                        .replace("100 2xx, 0 3xx, 0 4xx", "97 2xx, 0 3xx, 3 4xx");
        assertThat(parsed(failed, "1").errors()).isEqualTo(3);
        assertThat(parsed(OUTPUT.replace("(409600)", "(409599)"), "1").errors()).isEqualTo(1);
        String nothing =
                OUTPUT.replace("100 done, 100 succeeded", "0 done, 0 succeeded")
                        .replace("100 2xx", "0 2xx");
        assertThat(parsed(nothing).errors()).isEqualTo(1);
    }

    @Test
    void requestUnderWayAtTheEndIsNoError() throws IOException {
        Client.Tally tally = parsed(OUTPUT.replace("100 2xx", "103 2xx"), "1");
        assertThat(tally.requests()).isEqualTo(100);
        assertThat(tally.errors()).isZero();
    }

    @Test
    void otherProtocolIsAFailure() {
        assertThatThrownBy(() -> parsed(OUTPUT.replace(": h2c", ": http/1.1")))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("the server speaks http/1.1");
        assertThatThrownBy(() -> parsed("starting benchmark...\nrefused\n\n"))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("h2load failed: refused");
    }
}
