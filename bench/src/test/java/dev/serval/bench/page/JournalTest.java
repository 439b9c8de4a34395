package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
    private static final List<String> ORDER = List.of("one", "two", "three");

    @TempDir Path folder;

    private Journal journal() {
        return new Journal(folder, "sample", ORDER);
    }

    private static Report head(String date) {
        return Samples.report(date, List.of());
    }

    private static Part.Kept kept(String cell) {
        return new Part.Kept(
                cell,
                12.5,
                List.of(new AbsentResult(cell + "-a", "A", Gap.Kind.NOT_MEASURED, "why")));
    }

    private static String resumed(Journal journal) {
        Environment of = head("later").environment();
        return journal.resume(of.commit(), of.settings());
    }

    @Test
    void resumedRunHasTheCellsAndTheDateOfTheFirst() throws IOException {
        Journal first = journal();
        first.begin(head("2026-01-02T03:04:05Z"));
        first.keep(kept("two"));
        Journal second = journal();
        assertThat(resumed(second)).isEmpty();
        assertThat(second.kept()).containsExactly(kept("two"));
        second.begin(head("2026-01-03T03:04:05Z"));
        second.keep(kept("one"));
        Report report = Objects.requireNonNull(second.report());
        assertThat(report.environment().date()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(report.cells()).extracting(CellResult::cell).containsExactly("one-a", "two-a");
    }

    @Test
    void runOfAnotherCommitOrOtherSettingsBeginsAnew() throws IOException {
        Journal first = journal();
        assertThat(resumed(journal())).startsWith("there is no ");
        first.begin(head("2026-01-02T03:04:05Z"));
        first.keep(kept("two"));
        Environment of = head("").environment();
        Journal other = journal();
        assertThat(other.resume("abc", of.settings()))
                .contains("is of commit " + of.commit() + ", and this is abc");
        assertThat(other.resume(of.commit(), Map.of("rounds", "4")))
                .contains("has other settings: {rounds=3, seconds=1}, and these are {rounds=4}");
        assertThat(other.kept()).isEmpty();
        Files.writeString(folder.resolve("sample.part.json"), "{");
        assertThat(resumed(other)).contains("is not a report of this suite");
        assertThat(other.report()).isNull();
    }

    @Test
    void runWithoutResumeForgetsTheFirst() throws IOException {
        Journal first = journal();
        first.begin(head("2026-01-02T03:04:05Z"));
        first.keep(kept("two"));
        Journal second = journal();
        second.begin(head("2026-01-03T03:04:05Z"));
        assertThat(Objects.requireNonNull(second.report()).cells()).isEmpty();
        Journal third = journal();
        assertThat(resumed(third)).isEmpty();
        assertThat(third.kept()).isEmpty();
        Journal.delete(folder, "sample");
        assertThat(resumed(journal())).startsWith("there is no ");
    }
}
