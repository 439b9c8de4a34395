package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    private static final TestResult PASSED =
            new TestResult("engine", "a.FooTest", "one", new TestResult.Outcome.Passed());
    private static final TestResult FAILED =
            new TestResult(
                    "engine",
                    "a.FooTest",
                    "two",
                    new TestResult.Outcome.Failed("a.A: wrong\n\tat dev.serval.A.b(A.java:1)"));
    private static final TestResult NEEDS_WRK =
            new TestResult(
                    "conformance",
                    "a.BarTest",
                    "three",
                    new TestResult.Outcome.Skipped("needs wrk (Debian package wrk)"));
    private static final TestResult NOT_HERE =
            new TestResult("bench", "a.BarTest", "four", new TestResult.Outcome.Skipped(""));

    @Test
    void endsWithTheSkippedTestsAndTheTotals() {
        Summary summary = of(false, false, PASSED, NEEDS_WRK, NOT_HERE);
        assertThat(summary.isGood()).isTrue();
        assertThat(printed(summary))
                .isEqualTo(
                        """

                        Skipped:
                          BarTest.three: needs wrk (Debian package wrk)
                          BarTest.four: no reason given

                        1 passed, 0 failed, 2 skipped
                        """);
    }

    @Test
    void missingDebianPackageIsAFailureOnlyIfStrict() {
        Summary summary = of(false, true, PASSED, NEEDS_WRK);
        assertThat(summary.isGood()).isFalse();
        assertThat(printed(summary))
                .endsWith(
                        """
                        With --strict, a test must not be skipped because a Debian package is missing, or a program that CI installs.

                        1 passed, 0 failed, 1 skipped
                        """);
        assertThat(of(false, true, PASSED, NOT_HERE).isGood()).isTrue();
    }

    @Test
    void missingProgramThatCiInstallsIsAFailureIfStrict() {
        TestResult needs =
                new TestResult(
                        "engine",
                        "a.BarTest",
                        "four",
                        new TestResult.Outcome.Skipped(
                                "needs h2spec go install x: CI installs it"));
        assertThat(of(false, true, PASSED, needs).isGood()).isFalse();
        assertThat(of(false, false, PASSED, needs).isGood()).isTrue();
    }

    /// Last, because a log is often seen from its end.
    @Test
    void showsEachFailedTestWithItsMessageAndFrames() {
        Summary summary = of(true, false, PASSED, NEEDS_WRK, FAILED);
        assertThat(summary.isGood()).isFalse();
        assertThat(printed(summary))
                .startsWith(
                        """

                        Skipped:
                          BarTest.three: needs wrk (Debian package wrk)

                        Failed:
                          FooTest.two (engine)
                              a.A: wrong
                              at dev.serval.A.b(A.java:1)

                        Maven's output: target/verify.log;\
                        """)
                .endsWith("\n1 passed, 1 failed, 1 skipped\n");
    }

    @Test
    void classWithoutAReportCountsAsFailed() {
        Progress progress = progress();
        progress.line("[INFO] Running a.CrashTest");
        progress.line("[INFO] Reactor Summary for Serval 0.1.0-SNAPSHOT:");
        Summary summary =
                new Summary(
                        new Reports(List.of(PASSED), List.of("engine: a.CrashTest"), List.of()),
                        progress,
                        false,
                        false);
        assertThat(summary.isGood()).isFalse();
        assertThat(printed(summary))
                .contains(
                        "exited or was killed:\n  a.CrashTest\n",
                        "Left no report:\n  engine: a.CrashTest\n")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void classWithAReportEndedEvenIfMavenDidNotSaySo() {
        Progress progress = progress();
        progress.line("[INFO] Running a.FooTest");
        progress.line(
                "[INFO] Tests run: 1, Failures: 0, Errors: 0, SkipWARNING: Foo has been called");
        Reports reports = new Reports(List.of(PASSED), List.of(), List.of());
        Summary summary = new Summary(reports, progress, false, false);
        assertThat(summary.isGood()).isTrue();
        assertThat(printed(summary)).doesNotContain("never ended");
    }

    @Test
    void showsCauseOfBuildFailure() {
        Progress progress = progress();
        for (String line :
                List.of(
                        "[INFO] Building Serval engine 0.1.0-SNAPSHOT   [3/7]",
                        "[ERROR] A.java:[3,4] not a statement",
                        "[INFO] Reactor Summary for Serval 0.1.0-SNAPSHOT:",
                        "[INFO] Serval engine ... FAILURE [ 1.0 s]",
                        "[INFO] Serval bench ... SKIPPED")) {
            progress.line(line);
        }
        Summary summary =
                new Summary(
                        new Reports(List.of(PASSED), List.of(), List.of()), progress, true, false);
        assertThat(summary.isGood()).isFalse();
        assertThat(printed(summary))
                .contains(
                        "Failed to build: Serval engine\n  A.java:[3,4] not a statement\n",
                        "Not built, because a module that they need failed: Serval bench\n");
    }

    @Test
    void namesWhatItLeftOutAndHowLongTheModulesTook() {
        Progress progress = progress();
        for (String line :
                List.of(
                        "[main] [INFO] Building Serval engine 0.1.0-SNAPSHOT   [3/7]",
                        "[main] [INFO] --- maven-surefire-plugin:3.5.4:test (default-test) @ serval-engine ---",
                        "[x] [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1.25 s -- in a.FooTest",
                        "[main] [INFO] Reactor Summary for Serval 0.1.0-SNAPSHOT:",
                        "[main] [INFO] Serval engine ... SUCCESS [01:02 min]",
                        "[main] [INFO] Total time:  01:04 min (Wall Clock)")) {
            progress.line(line);
        }
        Reports reports = new Reports(List.of(PASSED), List.of(), List.of("JcstressTest"));
        assertThat(printed(new Summary(reports, progress, false, false)))
                .isEqualTo(
                        """

                        Left out without --strict: Error Prone on the code of the tests, and 1 long tests or classes:
                          JcstressTest

                        Seconds          compile  test compile  checks  tests  package  all
                          Serval engine        0             0       0     62        0   62
                          together             0             0       0     62        0   62
                          by the clock                                                   64

                        Slowest test classes:
                            1.3 s  FooTest

                        1 passed, 0 failed, 0 skipped
                        """);
    }

    @Test
    void testOfAnotherKindOfConnectionIsNoSkip() {
        TestResult other =
                new TestResult(
                        "engine",
                        "a.FooTest[3]",
                        "two",
                        new TestResult.Outcome.Skipped("Not over H2C: HTTP/2 has no chunks"));
        Summary summary = of(false, true, PASSED, other);
        assertThat(summary.isGood()).isTrue();
        assertThat(printed(summary))
                .contains("\n1 tests do not run over each kind of connection")
                .doesNotContain("Skipped:")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void failsIfNoTestRan() {
        assertThat(of(false, false).isGood()).isFalse();
        assertThat(of(true, false, PASSED).isGood()).isFalse();
    }

    @Test
    void showsAtMostFiftyFailures() {
        TestResult[] many = Collections.nCopies(60, FAILED).toArray(TestResult[]::new);
        assertThat(printed(of(true, false, many)))
                .contains("  … and 10 more\n")
                .endsWith("\n0 passed, 60 failed, 0 skipped\n");
    }

    private static Summary of(boolean mavenFailed, boolean strict, TestResult... results) {
        return new Summary(
                new Reports(List.of(results), List.of(), List.of()),
                progress(),
                mavenFailed,
                strict);
    }

    private static Progress progress() {
        return new Progress(new PrintStream(new ByteArrayOutputStream()), () -> 0);
    }

    private static String printed(Summary summary) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        summary.print(new PrintStream(printed, true, StandardCharsets.UTF_8), "target/verify.log");
        return printed.toString(StandardCharsets.UTF_8);
    }
}
