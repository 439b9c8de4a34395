package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchTest {
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    private CellResult result(Exception why) throws IOException {
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            return new Bench(stage, new Proc(Path.of("/proc")), Settings.QUICK, out)
                    .cell(
                            "rows",
                            "a title",
                            () -> {
                                if (why instanceof IOException e) {
                                    throw e;
                                }
                                throw (BenchFailure) why;
                            })
                    .getFirst();
        }
    }

    @Test
    void cellIsNotMeasuredIfTheMachineLacksSomething() throws IOException {
        CellResult result = result(BenchFailure.lack("no database", null));
        assertThat(result.gaps())
                .extracting(gap -> gap.cell() + " " + gap.text())
                .containsExactly("rows not measured: no database");
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        assertThat(progress.toString(StandardCharsets.UTF_8))
                .isEqualTo("rows not measured: no database" + System.lineSeparator());
    }

    @Test
    void cellThatFailsDoesNotEndTheRun() throws IOException {
        for (Exception why :
                new Exception[] {new BenchFailure("it broke"), new IOException("it broke")}) {
            CellResult result = result(why);
            assertThat(result.gaps())
                    .extracting(gap -> gap.text())
                    .containsExactly("failed: it broke");
            assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        }
    }
}
