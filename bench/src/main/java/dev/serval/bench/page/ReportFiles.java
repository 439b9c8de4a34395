package dev.serval.bench.page;

import dev.serval.bench.report.Report;
import dev.serval.bench.report.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.InjectableValues;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.json.JsonMapper;

/// Writes a report to files, every round as JSON and the tables as Markdown, and reads it back.
public final class ReportFiles {
    /// Figures that follow from others are in the file for its readers and are not read back.
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .injectableValues(
                            new InjectableValues.Std().addValue(Round.UNKNOWN, Double.NaN))
                    .build();

    private ReportFiles() {}

    /// Writes `<scenario>-<date>.json` and `.md` into a folder, which it creates if it is missing.
    ///
    /// @return the Markdown file
    public static Path write(Report report, Path folder) throws IOException {
        String fingerprint = report.environment().date().replaceAll("[:Z]", "").replace('T', '-');
        String name = report.scenario() + "-" + fingerprint;
        writeWhole(folder.resolve(name + ".json"), JSON.writeValueAsString(report) + "\n");
        Path markdown = folder.resolve(name + ".md");
        writeWhole(markdown, new ReportText(report).markdown());
        return markdown;
    }

    /// Reads a report from its JSON file.
    ///
    /// @throws IOException if the file cannot be read or is not a report; the message says why
    public static Report read(Path file) throws IOException {
        return read(file, Report.class);
    }

    static Part readPart(Path file) throws IOException {
        return read(file, Part.class);
    }

    static void writePart(Part part, Path file) throws IOException {
        writeWhole(file, JSON.writeValueAsString(part) + "\n");
    }

    private static <T> T read(Path file, Class<T> type) throws IOException {
        String text = Files.readString(file);
        try {
            return JSON.readValue(text, type);
        } catch (InvalidTypeIdException e) {
            throw new IOException(
                    file
                            + " is of another version of the suite, because a cell has a kind that is"
                            + " unknown or missing; run its scenario again",
                    e);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a report of this suite: " + e.getOriginalMessage(), e);
        }
    }

    /// Writes a file at once, so that a reader has the old one or the whole new one.
    ///
    /// Its folder is created if it is missing.
    public static void writeWhole(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
        Files.writeString(fresh, text);
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
