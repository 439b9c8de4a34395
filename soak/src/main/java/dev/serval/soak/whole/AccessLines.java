package dev.serval.soak.whole;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the access log of a soak has, in all its files.
///
/// @param lines the number of lines
/// @param broken lines that do not follow the format, such as two that were mixed
record AccessLines(long lines, long broken) {
    /// The combined format. A quoted value has no quote that is not escaped.
    private static final Pattern COMBINED =
            Pattern.compile(
                    "\\S+ \\S+ \\S+ \\[[^\\[\\]]+\\] \"(?:[^\"\\\\]|\\\\.)*+\" \\d{3} (?:\\d+|-)"
                            + " \"(?:[^\"\\\\]|\\\\.)*+\" \"(?:[^\"\\\\]|\\\\.)*+\"");

    /// Reads the file and the former ones beside it.
    static AccessLines read(Path file) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(file.toAbsolutePath().getParent())) {
            String name = file.getFileName().toString();
            files = all.filter(one -> one.getFileName().toString().startsWith(name)).toList();
        }
        long lines = 0;
        long broken = 0;
        for (Path one : files) {
            try (Stream<String> each = Files.lines(one, StandardCharsets.ISO_8859_1)) {
                for (String line : (Iterable<String>) each::iterator) {
                    lines++;
                    broken += COMBINED.matcher(line).matches() ? 0 : 1;
                }
            }
        }
        return new AccessLines(lines, broken);
    }
}
