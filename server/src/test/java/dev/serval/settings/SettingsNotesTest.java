package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.config.Effective;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `serval check` tells of keys that have no effect, and what it prints.
final class SettingsNotesTest {
    @TempDir Path folder;

    @Test
    void notesABurstWithoutARate() throws IOException {
        WrittenFile file = new WrittenFile(folder);
        assertThat(file.notes("[limits]\nrate-burst = 5\nrate-except = '10.0.0.0/8'"))
                .containsExactly(
                        "serval.toml:2:1: rate-burst has no effect without rate.",
                        "serval.toml:3:1: rate-except has no effect without rate.");
        String listener = "[[listener]]\naddress = '8080'\n";
        assertThat(file.notes(listener + "limits.rate-burst = 5"))
                .containsExactly("serval.toml:3:1: rate-burst has no effect without rate.");
        assertThat(file.notes("[[mount]]\nfolder = '.'\nlimits.rate-burst = 5"))
                .containsExactly("serval.toml:3:1: rate-burst has no effect without rate.");
        assertThat(file.notes("limits.rate = '5/s'\n" + listener + "limits.rate-burst = 5"))
                .isEmpty();
        assertThat(file.notes("limits.rate-burst = 5\n" + listener + "limits.rate = '5/s'"))
                .isEmpty();
        assertThat(file.notes("[[mount]]\nfolder = '.'\nlimits = { rate = '5/s', rate-burst = 5 }"))
                .isEmpty();
    }

    @Test
    void notesTellWhatHasNoEffect() throws IOException {
        WrittenFile file = new WrittenFile(folder);
        assertThat(file.notes("[server]\ntrusted-fields = 'forwarded'"))
                .containsExactly(
                        "serval.toml:2:1: trusted-fields has no effect without trusted-proxies.");
        String logs = "[[log]]\nname = 'a'\nfile = 'a.log'\n[[log]]\nfile = 'b.log'\n";
        assertThat(file.notes(logs + "[[mount]]\nfolder = '.'"))
                .containsExactly(
                        "serval.toml:2:1: No mount or host has log = \"a\", so nothing is written to"
                                + " this log.");
        assertThat(file.notes(logs + "[[mount]]\nfolder = '.'\nlog = 'a'")).isEmpty();
        String host = "[[host]]\nname = 'x.example'\nlog = 'a'\nmount = [{ folder = '.' }]";
        assertThat(file.notes(logs + host)).isEmpty();
    }

    @Test
    void whatCheckPrintsIsRightAsAFile() throws IOException {
        WrittenFile file = new WrittenFile(folder);
        @Nullable Origin origin =
                file.right(
                                """
                                applications.logs = "none"
                                [[listener]]
                                address = "8080"
                                limits.idle-time = "5s"
                                [[log]]
                                file = "access.log"
                                pattern = "%h %t"
                                [[log]]
                                name = "daily"
                                file = "daily.log"
                                rotate-daily = true
                                [[mount]]
                                folder = "."
                                """)
                        .origin();
        String printed = Effective.text(Objects.requireNonNull(origin).values());
        assertThat(printed).contains("pattern = \"%h %t\"", "idle-time = \"5s\"", "keep = ");
        assertThat(file.wrong(printed)).isEmpty();
    }
}
