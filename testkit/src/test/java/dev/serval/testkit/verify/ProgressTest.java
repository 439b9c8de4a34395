package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private static final String ENGINE =
            "[INFO] Building Serval engine 0.1.0-SNAPSHOT                              [3/7]";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private long now;
    private final Progress progress =
            new Progress(new PrintStream(printed, true, StandardCharsets.UTF_8), () -> now);

    @Test
    void printsALineWhenAModuleBeginsAndOneWhenItsTestsAreDone() {
        lines(
                ENGINE,
                "[INFO] Running a.FooTest",
                "\tat a.b.C.d(C.java:1)",
                "SEVERE: handler failed");
        now = 12_000_000_000L;
        lines(
                "[INFO] Tests run: 13, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.0 s -- in a.FooTest",
                "[WARNING] Tests run: 13, Failures: 0, Errors: 0, Skipped: 1",
                "[INFO] Building Serval bench 0.1.0-SNAPSHOT   [5/7]");
        assertThat(printed())
                .isEqualTo(
                        """
                        [3/7] Serval engine
                              Serval engine: 13 tests, 0 failed, 1 skipped, 12 s
                        [5/7] Serval bench
                        """);
    }

    @Test
    void printsFailedClassAtOnce() {
        lines(
                ENGINE,
                "[INFO] Running a.FooTest",
                "[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.0 s <<< FAILURE! -- in a.FooTest");
        assertThat(printed()).contains("      FAILED: 2 of 3 in FooTest\n");
    }

    @Test
    void signOfLifeNamesClassAndDuration() {
        progress.signOfLife();
        assertThat(printed()).isEmpty();
        lines(ENGINE, "[INFO] Running a.SlowTest");
        now = 61_000_000_000L;
        progress.signOfLife();
        assertThat(printed()).contains("      0 tests so far; SlowTest has run for 61 s\n");
    }

    @Test
    void readsLinesThatAWarningOfAJvmFollows() {
        lines(
                ENGINE,
                "[INFO] Running a.FooTestWARNING: a method has been called",
                "[INFO] Running a.BarTest",
                "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.0 s"
                        + " <<< FAILURE! -- in a.BarTestWARNING: a method has been called");
        assertThat(printed()).contains("      FAILED: 1 of 3 in BarTest\n");
        assertThat(progress.unfinished()).containsExactly("a.FooTest");
    }

    @Test
    void keepsTheErrorsOfAModuleThatFailedWithoutATest() {
        lines(
                "[INFO] Building Serval test kit 0.1.0-SNAPSHOT   [2/7]",
                "[ERROR] an error that did not fail it",
                ENGINE,
                "[ERROR] COMPILATION ERROR : ",
                "[ERROR] /a/B.java:[3,4] not a statement",
                "[INFO] Reactor Summary for Serval 0.1.0-SNAPSHOT:",
                "[INFO] Serval test kit .................................... SUCCESS [ 25.850 s]",
                "[INFO] Serval engine ...................................... FAILURE [03:14 min]",
                "[INFO] Serval bench ....................................... SKIPPED",
                "[ERROR] Failed to execute goal compile on project serval-engine: Compilation failure");
        assertThat(progress.faults())
                .isEqualTo(
                        Map.of(
                                "Serval engine",
                                List.of("COMPILATION ERROR :", "/a/B.java:[3,4] not a statement")));
        assertThat(progress.skippedModules()).containsExactly("Serval bench");
        assertThat(progress.failedGoals())
                .containsExactly(
                        "Failed to execute goal compile on project serval-engine: Compilation failure");
    }

    @Test
    void namesTheClassThatRanWhenTheJvmEnded() {
        lines(
                ENGINE,
                "[INFO] Running a.CrashTest",
                "[ERROR] The forked VM terminated without properly saying goodbye.",
                "[INFO] Reactor Summary for x:",
                "[INFO] Serval engine ... FAILURE [ 1.0 s]",
                "[INFO] BUILD FAILURE",
                "[ERROR] Failed to execute goal surefire:test on project serval-engine: ",
                "[ERROR] ",
                "[ERROR] See dump files (if any exist)",
                "[ERROR] The forked VM terminated without properly saying goodbye.",
                "[ERROR] Process Exit Code: 3",
                "[ERROR] \tat org.apache.Foo.bar(Foo.java:1)",
                "[ERROR] -> [Help 1]",
                "[ERROR] To see the full stack trace of the errors, re-run Maven",
                "[ERROR] more");
        assertThat(progress.failedGoals())
                .containsExactly(
                        "Failed to execute goal surefire:test on project serval-engine:",
                        "The forked VM terminated without properly saying goodbye.",
                        "Process Exit Code: 3");
        assertThat(progress.unfinished()).containsExactly("a.CrashTest");
        assertThat(progress.faults()).containsOnlyKeys("Serval engine");
    }

    @Test
    void keepsTheWarningsThatFailAModule() {
        lines(
                ENGINE,
                "[WARNING] /a/B.java:[17,32] [EmptyCatch] Caught exceptions should be logged",
                "[WARNING] another warning of Maven",
                "[ERROR] error: warnings found and -Werror specified",
                "[INFO] Reactor Summary for x:",
                "[INFO] Serval engine ... FAILURE [ 1.0 s]");
        assertThat(progress.faults().get("Serval engine"))
                .containsExactly(
                        "/a/B.java:[17,32] [EmptyCatch] Caught exceptions should be logged",
                        "error: warnings found and -Werror specified");
    }

    @Test
    void failedTestIsNotABuildFault() {
        lines(
                ENGINE,
                "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.0 s <<< FAILURE! -- in a.FooTest",
                "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0",
                "[INFO] Reactor Summary for Serval 0.1.0-SNAPSHOT:",
                "[INFO] Serval engine ...................................... FAILURE [03:14 min]",
                "[ERROR] Failed to execute goal surefire:test on project x: There are test failures.");
        assertThat(progress.faults()).isEmpty();
        assertThat(progress.failedGoals()).isEmpty();
    }

    @Test
    void modulesBuiltSideBySideKeepTheirOwnErrorsAndTotals() {
        lines(
                "[BuilderThread 0] [INFO] Building Serval engine 0.1.0-SNAPSHOT   [3/7]",
                "[BuilderThread 1] [INFO] Building Serval bench 0.1.0-SNAPSHOT   [4/7]",
                "[BuilderThread 0] [ERROR] /a/Engine.java:[3,4] not a statement",
                "[fork-1] [INFO] Running a.FooTest",
                "[fork-2] [INFO] Running a.BarTest");
        now = 5_000_000_000L;
        progress.signOfLife();
        lines(
                "[fork-2] [ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 5 s <<< FAILURE! -- in a.BarTest",
                "[BuilderThread 1] [ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0",
                "[main] [INFO] Reactor Summary for x:",
                "[main] [INFO] Serval engine ... FAILURE [ 1.0 s]",
                "[main] [INFO] Serval bench ... FAILURE [ 1.0 s]");
        assertThat(printed())
                .isEqualTo(
                        """
                        [3/7] Serval engine
                        [4/7] Serval bench
                              0 tests so far; FooTest has run for 5 s, BarTest has run for 5 s
                              FAILED: 1 of 2 in BarTest
                              Serval bench: 2 tests, 1 failed, 0 skipped, 5 s
                        """);
        assertThat(progress.faults())
                .isEqualTo(
                        Map.of("Serval engine", List.of("/a/Engine.java:[3,4] not a statement")));
        assertThat(progress.unfinished()).containsExactly("a.FooTest");
    }

    @Test
    void keepsMavensErrorIfNoModuleBegan() {
        lines("[ERROR] Non-parseable POM /a/pom.xml");
        assertThat(progress.faults())
                .isEqualTo(Map.of("Maven", List.of("Non-parseable POM /a/pom.xml")));
    }

    @Test
    void keepsAtMostTwentyErrorsOfAModule() {
        lines(ENGINE);
        for (int i = 0; i < 100; i++) {
            lines("[ERROR] number " + i);
        }
        lines("[INFO] Reactor Summary for x:", "[INFO] Serval engine ... FAILURE [ 1.0 s]");
        assertThat(progress.faults().get("Serval engine")).hasSize(20).startsWith("number 0");
    }

    private void lines(String... lines) {
        for (String line : lines) {
            progress.line(line);
        }
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
