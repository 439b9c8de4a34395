package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.bench.peer.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkingCopyTest {
    @TempDir Path copy;

    @BeforeEach
    void commit() throws IOException {
        assumeTrue(Programs.find("git").isPresent(), "needs git");
        git("init", "--quiet");
        Files.writeString(copy.resolve("a.txt"), "a");
        git("add", ".");
        git(
                "-c",
                "user.name=test",
                "-c",
                "user.email=test@example.org",
                "commit",
                "--quiet",
                "--message=a");
    }

    private String git(String... words) {
        List<String> command = new ArrayList<>(List.of("git", "-C", copy.toString()));
        command.addAll(List.of(words));
        return Programs.output(command).trim();
    }

    @Test
    void changedFileIsAnotherCommit() throws IOException {
        String head = git("rev-parse", "HEAD");
        Path results = Files.createDirectories(copy.resolve("out"));
        assertThat(WorkingCopy.commit(copy, results)).isEqualTo(head);
        Files.writeString(results.resolve("static.part.json"), "{}");
        assertThat(WorkingCopy.commit(copy, results)).as("results").isEqualTo(head);
        assertThat(WorkingCopy.commit(copy, copy.resolveSibling("elsewhere")))
                .as("other file")
                .startsWith(head + "+changes-");
    }

    @Test
    void folderOfTheCopyItselfIsNotLeftOut() throws IOException {
        Files.writeString(copy.resolve("b.txt"), "b");
        assertThat(WorkingCopy.commit(copy, copy)).contains("+changes-");
    }

    /// Otherwise an interrupted run would be resumed with another build.
    @Test
    void otherChangesAreAnotherCommit() throws IOException {
        Path elsewhere = copy.resolveSibling("elsewhere");
        Files.writeString(copy.resolve("a.txt"), "b");
        String first = WorkingCopy.commit(copy, elsewhere);
        assertThat(WorkingCopy.commit(copy, elsewhere)).isEqualTo(first);
        Files.writeString(copy.resolve("a.txt"), "c");
        assertThat(WorkingCopy.commit(copy, elsewhere)).isNotEqualTo(first);
    }

    @Test
    void commitIsUnknownOutsideOfAWorkingCopy(@TempDir Path other) {
        assertThat(WorkingCopy.commit(other, other)).isEqualTo("unknown");
    }
}
