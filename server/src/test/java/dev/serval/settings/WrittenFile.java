package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes the file `serval.toml` of a folder and reads it.
///
/// @param folder may have what the file names
record WrittenFile(Path folder) {
    /// Returns the options of a file that must be right.
    RunOptions right(String text) throws IOException {
        Problems problems = new Problems();
        @Nullable SettingsFile read = read(text, problems);
        assertThat(problems.sentences()).isEmpty();
        return Objects.requireNonNull(read).options();
    }

    /// Returns what is wrong with a file, with paths relative to the folder.
    List<String> wrong(String text) throws IOException {
        Problems problems = new Problems();
        read(text, problems);
        return problems.sentences().stream()
                .map(sentence -> sentence.replace(folder + "/", ""))
                .toList();
    }

    /// Returns the notes about a file that must be right.
    List<String> notes(String text) throws IOException {
        Problems problems = new Problems();
        read(text, problems);
        assertThat(problems.sentences()).isEmpty();
        return problems.notes().stream()
                .map(sentence -> sentence.replace(folder + "/", ""))
                .toList();
    }

    private @Nullable SettingsFile read(String text, Problems problems) throws IOException {
        Path file = Files.writeString(folder.resolve("serval.toml"), text);
        return SettingsFile.read(file, Map.of(), problems);
    }
}
