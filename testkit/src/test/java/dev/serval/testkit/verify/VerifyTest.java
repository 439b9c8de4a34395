package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Runs the program as the launcher does: from source, with a script instead of Maven.
final class VerifyTest {
    private final TempTree tree = TempTree.create();

    /// The result of one run.
    private record Run(int exitCode, List<String> lines) {}

    @BeforeEach
    void oneModule() {
        tree.file("engine/pom.xml", "");
    }

    @AfterEach
    void delete() {
        tree.close();
    }

    @Test
    void endsWithTheTotalsAndKeepsTheLog() throws Exception {
        String script =
                """
                printf '[\\033[1;34mINFO\\033[m] Building Serval engine 1 [1/1]\\n'
                echo noise >&2
                mkdir -p engine/target/surefire-reports
                echo '<testsuite><testcase name="one" classname="a.FooTest"/></testsuite>' \\
                    >engine/target/surefire-reports/TEST-a.FooTest.xml
                """;
        Run run = run(script);
        assertThat(run.exitCode()).isZero();
        assertThat(run.lines())
                .contains("[1/1] Serval engine")
                .doesNotContain("noise")
                .endsWith("1 passed, 0 failed, 0 skipped");
        assertThat(Files.readAllLines(tree.path("target/verify.log")))
                .containsExactly("[INFO] Building Serval engine 1 [1/1]", "noise");
    }

    @Test
    void failsWithMavenAndIgnoresReportsOfAnEarlierRun() throws Exception {
        tree.file("engine/target/surefire-reports/TEST-a.OldTest.xml", "<testsuite/>");
        Run run = run("echo '[ERROR] Non-parseable POM'\nexit 1\n");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.lines())
                .contains("Failed to build: Maven", "  Non-parseable POM")
                .endsWith("0 passed, 0 failed, 0 skipped");
    }

    private Run run(String script) throws IOException, InterruptedException {
        Path maven = tree.file("maven", script);
        Path source = Path.of("src/main/java/dev/serval/testkit/verify/Verify.java");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                source.toAbsolutePath().toString(),
                                tree.root().toString(),
                                "lenient",
                                "sh",
                                maven.toString())
                        .redirectErrorStream(true)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out.lines().toList());
    }
}
