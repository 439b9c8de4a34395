package dev.serval.bench;

import dev.serval.bench.peer.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The git working copy of the suite.
final class WorkingCopy {
    private static final String UNKNOWN = "unknown";

    private WorkingCopy() {}

    /// Returns the commit, with `+changes` if a file differs from it; `unknown` outside of a working
    /// copy. Results in a folder are no change, because a run writes them.
    ///
    /// @param copy its root
    static String commit(Path copy, Path results) {
        String root = copy.toAbsolutePath().toString();
        String commit = Programs.firstLine(List.of("git", "-C", root, "rev-parse", "HEAD"));
        if (commit.equals(UNKNOWN)) {
            return commit;
        }
        List<String> command =
                new ArrayList<>(List.of("git", "-C", root, "status", "--porcelain", "--", "."));
        Path here = copy.toAbsolutePath().normalize();
        Path folder = results.toAbsolutePath().normalize();
        if (folder.startsWith(here) && !folder.equals(here)) {
            command.add(":(exclude)" + here.relativize(folder));
        }
        String changes = Programs.firstLine(command);
        return changes.equals(UNKNOWN) ? commit : commit + "+changes";
    }
}
