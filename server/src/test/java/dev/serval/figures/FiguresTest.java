package dev.serval.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.Serval;
import dev.serval.handler.Fault;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The figures of the engine and of the process.
final class FiguresTest {
    private static final long MIB = 1 << 20;

    @Test
    void mountHasASeriesForEachClassOfStatusThatItHasSeen() throws Exception {
        try (Serval server =
                Serval.listen(0).mount("/a", x -> x.response().abort(Fault.APPLICATION)).start()) {
            assertThat(RawClient.get(server.addresses().getFirst(), "/a").status()).isEqualTo(500);
            Await.until( // it is counted after its answer was sent
                    "the request is counted", () -> server.metrics().totals("").responses(5) == 1);
            Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
            EngineFigures.add(server, made);
            assertThat(made.text().lines().filter(line -> line.contains("{mount=\"/a\",status")))
                    .containsExactly("serval_requests_total{mount=\"/a\",status=\"5xx\"} 1");
        }
    }

    @Test
    void residentMemoryIsInBytes() {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "needs Linux");
        assertThat(ProcessFigures.residentBytes().orElseThrow()).isGreaterThan(16 * MIB);
    }

    /// The JVM tells -1 for an area without a limit.
    @Test
    void areaWithoutALimitHasNone() {
        Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
        ProcessFigures.add(made);
        assertThat(made.text().lines().filter(line -> line.startsWith("jvm_memory_max_bytes{")))
                .isNotEmpty()
                .noneMatch(line -> line.endsWith(" -1"));
        assertThat(made.text()).contains("jvm_memory_used_bytes{area=\"nonheap\"} ");
    }
}
