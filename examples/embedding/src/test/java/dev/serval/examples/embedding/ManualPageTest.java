package dev.serval.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Checks that the manual page shows the examples as they are. It shows the body of each `start`
/// method with port 8080 and without `return`.
final class ManualPageTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/serval/examples/embedding");
    private static final Path PAGE = Path.of("../../docs/manual/embedding.md");
    private static final int LINES_MAX = 10;
    private static final Pattern START =
            Pattern.compile(
                    "\n    static Serval start\\([^)]*\\) throws IOException \\{\n(.*?)\n    }\n",
                    Pattern.DOTALL);
    private static final Pattern SHOWN =
            Pattern.compile(
                    "\\*\\*(\\w+)\\*\\*(?:(?!```|\\n## ).)*```java\n(.*?)\n```", Pattern.DOTALL);

    @Test
    void pageShowsEachExampleAsItIs() throws IOException {
        Map<String, String> shown = new TreeMap<>();
        Matcher matcher = SHOWN.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            shown.put(matcher.group(1), matcher.group(2));
        }
        assertThat(shown).isEqualTo(examples());
    }

    @Test
    void tenExamplesHaveAtMostTenLines() throws IOException {
        Map<String, String> examples = examples();
        assertThat(examples).hasSize(10);
        List<String> longer = new ArrayList<>();
        examples.forEach((name, text) -> {
            if (text.lines().count() > LINES_MAX) {
                longer.add(name);
            }
        });
        assertThat(longer).isEmpty();
    }

    private static Map<String, String> examples() throws IOException {
        Map<String, String> examples = new TreeMap<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                Matcher start = START.matcher(Files.readString(file));
                if (start.find()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    examples.put(name, asShown(start.group(1)));
                }
            }
        }
        return examples;
    }

    private static String asShown(String body) {
        return body.indent(-8)
                .stripTrailing()
                .replace("return Serval", "Serval")
                .replace("listen(port)", "listen(8080)");
    }
}
