package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.OverloadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportFilesTest {
    @TempDir Path folder;

    @Test
    void everyKindOfResultIsReadBack() throws IOException {
        Report report = Samples.report();
        Path markdown = ReportFiles.write(report, folder);
        assertThat(ReportFiles.read(json(markdown))).isEqualTo(report);
        assertThat(new ReportText(ReportFiles.read(json(markdown))).markdown())
                .isEqualTo(Files.readString(markdown));
    }

    /// Figures without a number are what a careless format loses.
    @Test
    void figuresThatAreNoNumbersAreReadBack() throws IOException {
        Report report = ReportFiles.read(json(ReportFiles.write(Samples.report(), folder)));
        OverloadResult overload = result(report, OverloadResult.class);
        assertThat(overload.servers().getFirst().steps().getLast().p99Millis()).isInfinite();
        assertThat(overload.servers().getFirst().steps().getLast().recoverySeconds()).isNaN();
        assertThat(result(report, PeersResult.class).limit().aim()).isNaN();
    }

    private static <T> T result(Report report, Class<T> kind) {
        return report.cells().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyResultHasAKind() {
        assertThat(Arrays.stream(CellResult.class.getAnnotation(JsonSubTypes.class).value()))
                .extracting(JsonSubTypes.Type::value)
                .containsExactlyInAnyOrderElementsOf(results(CellResult.class).toList());
    }

    private static Stream<Class<?>> results(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ReportFilesTest::results)
                : Stream.of(type);
    }

    @Test
    void fileOfAnEarlierVersionIsRefusedWithTheReason() throws IOException {
        Path old = folder.resolve("old.json");
        String text = Files.readString(json(ReportFiles.write(Samples.report(), folder)));
        Files.writeString(old, text.replaceAll("\"kind\" : \"load\",", ""));
        assertThatIOException()
                .isThrownBy(() -> ReportFiles.read(old))
                .withMessageContaining("a cell has a kind that is unknown or missing")
                .withMessageStartingWith(old.toString());
        Files.writeString(old, text.replace("\"kind\" : \"load\"", "\"kind\" : \"lode\""));
        assertThatIOException()
                .isThrownBy(() -> ReportFiles.read(old))
                .withMessageContaining("unknown or missing");
    }

    @Test
    void otherFileIsRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("x.json"), "{\"scenario\": \"static\"}");
        assertThatIOException()
                .isThrownBy(() -> ReportFiles.read(other))
                .withMessageContaining("is not a report of this suite");
        Files.writeString(other, "[");
        assertThatIOException()
                .isThrownBy(() -> ReportFiles.read(other))
                .withMessageContaining("is not a report of this suite");
    }

    @Test
    void fileIsReplacedAtOnce() throws IOException {
        Path file = folder.resolve("deep/a.txt");
        ReportFiles.writeWhole(file, "one");
        ReportFiles.writeWhole(file, "two");
        assertThat(file).hasContent("two");
        try (Stream<Path> files = Files.list(folder.resolve("deep"))) {
            assertThat(files).containsExactly(file);
        }
    }

    private static Path json(Path markdown) {
        return Path.of(markdown.toString().replaceFirst("\\.md$", ".json"));
    }
}
