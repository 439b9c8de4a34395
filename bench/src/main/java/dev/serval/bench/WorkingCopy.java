package dev.serval.bench;

import dev.serval.bench.peer.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The git working copy of the suite.
final class WorkingCopy {
    private static final String UNKNOWN = "unknown";

    private WorkingCopy() {}

    /// Returns the commit, with `+changes` and a hash of these if a file differs from it; `unknown`
    /// outside of a working copy. Results in a folder are no change, because a run writes them.
    ///
    /// @param copy its root
    static String commit(Path copy, Path results) {
        String root = copy.toAbsolutePath().toString();
        String commit = Programs.firstLine(List.of("git", "-C", root, "rev-parse", "HEAD"));
        if (commit.equals(UNKNOWN)) {
            return commit;
        }
        List<String> paths = new ArrayList<>(List.of("--", "."));
        Path here = copy.toAbsolutePath().normalize();
        Path folder = results.toAbsolutePath().normalize();
        if (folder.startsWith(here) && !folder.equals(here)) {
            paths.add(":(exclude)" + here.relativize(folder));
        }
        String names = git(root, paths, "status", "--porcelain");
        String changes = names + git(root, paths, "diff", "HEAD");
        return names.isEmpty() ? commit : "%s+changes-%08x".formatted(commit, changes.hashCode());
    }

    private static String git(String root, List<String> paths, String... words) {
        List<List<String>> parts = List.of(List.of("git", "-C", root), List.of(words), paths);
        return Programs.output(parts.stream().flatMap(List::stream).toList());
    }
}
