package dev.serval.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes a report to files: every round as JSON, the tables as Markdown.
public final class ReportFiles {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ReportFiles() {}

    /// Writes `<scenario>-<date>.json` and `.md` into a folder, and creates the folder if it is
    /// missing.
    ///
    /// @return the Markdown file
    public static Path write(Report report, Path folder) throws IOException {
        Files.createDirectories(folder);
        String fingerprint = report.environment().date().replaceAll("[:Z]", "").replace('T', '-');
        String name = report.scenario() + "-" + fingerprint;
        Files.writeString(folder.resolve(name + ".json"), JSON.writeValueAsString(report) + "\n");
        Path markdown = folder.resolve(name + ".md");
        Files.writeString(markdown, new ReportText(report).markdown());
        return markdown;
    }
}
