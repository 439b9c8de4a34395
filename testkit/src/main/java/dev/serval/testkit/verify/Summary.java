package dev.serval.testkit.verify;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/// The report that is printed after Maven has ended: what was skipped and why, the times, what failed,
/// and the totals in the last line. Immutable.
///
/// @param reports the reports of all modules
/// @param progress the object that read Maven's output
/// @param mavenFailed whether Maven failed
/// @param strict whether a skip for a missing Debian package counts as a failure
record Summary(Reports reports, Progress progress, boolean mavenFailed, boolean strict) {
    private static final int SHOWN_MAX = 50;
    private static final int LOST_MAX = 20;

    /// Returns whether everything succeeded.
    boolean isGood() {
        return !mavenFailed
                && failed().isEmpty()
                && reports.lost().isEmpty()
                && !reports.tests().isEmpty()
                && !(strict && lacksPackages());
    }

    /// Prints the report.
    ///
    /// @param log path of Maven's complete output
    void print(PrintStream out, String log) {
        skips(out);
        leftOut(out);
        int elsewhere = elsewhere();
        if (elsewhere > 0) {
            out.printf(
                    "%n%d tests do not run over each kind of connection: modes.txt has the reasons.%n",
                    elsewhere);
        }
        progress.timings().print(out);
        failures(out);
        lost(out);
        faults(out);
        if (!isGood()) {
            out.printf(
                    "%nMaven's output: %s; output of a test: MODULE/target/surefire-reports/"
                            + "CLASS-output.txt%n",
                    log);
        }
        if (strict && lacksPackages()) {
            out.printf(
                    "%nWith --strict, a test must not be skipped because a Debian package is missing,"
                            + " or a program that CI installs.%n");
        }
        int failed = failed().size() + reports.lost().size();
        int skipped = skipped().size();
        int passed = reports.tests().size() - failed().size() - skipped - elsewhere;
        out.printf("%n%d passed, %d failed, %d skipped%n", passed, failed, skipped);
    }

    private void failures(PrintStream out) {
        List<TestResult> failed = failed();
        if (!failed.isEmpty()) {
            out.printf("%nFailed:%n");
        }
        for (TestResult result : failed.stream().limit(SHOWN_MAX).toList()) {
            out.printf("  %s (%s)%n", result.title(), result.module());
            if (result.outcome() instanceof TestResult.Outcome.Failed(String trace)) {
                Trace.shortened(trace).forEach(line -> out.println("      " + line));
            }
        }
        if (failed.size() > SHOWN_MAX) {
            out.printf("  … and %d more%n", failed.size() - SHOWN_MAX);
        }
    }

    private void lost(PrintStream out) {
        List<String> unfinished =
                progress.unfinished().stream().filter(name -> !hasReport(name)).toList();
        if (!unfinished.isEmpty()) {
            out.printf(
                    "%nStarted but never ended, because the JVM crashed, exited or was killed:%n");
            unfinished.forEach(name -> out.println("  " + name));
        }
        List<String> lost = reports.lost();
        if (!lost.isEmpty()) {
            out.printf("%nLeft no report:%n");
            lost.stream().limit(LOST_MAX).forEach(name -> out.println("  " + name));
        }
        if (lost.size() > LOST_MAX) {
            out.printf("  … and %d more%n", lost.size() - LOST_MAX);
        }
    }

    /// Returns whether a class left a report. Maven's line about its end may be lost if a warning of a
    /// JVM is written into it, because they share the console.
    private boolean hasReport(String type) {
        return reports.tests().stream().anyMatch(result -> result.className().equals(type));
    }

    private void faults(PrintStream out) {
        Map<String, List<String>> faults = progress.faults();
        faults.forEach((module, errors) -> {
            out.printf("%nFailed to build: %s%n", module);
            errors.forEach(error -> out.println("  " + error));
        });
        progress.failedGoals().stream()
                .filter(line -> faults.values().stream().noneMatch(seen -> seen.contains(line)))
                .forEach(line -> out.println("  " + line));
        if (!progress.skippedModules().isEmpty()) {
            out.printf(
                    "%nNot built, because a module that they need failed: %s%n",
                    String.join(", ", progress.skippedModules()));
        }
    }

    private void skips(PrintStream out) {
        List<TestResult> skipped = skipped();
        if (!skipped.isEmpty()) {
            out.printf("%nSkipped:%n");
        }
        for (TestResult result : skipped) {
            if (result.outcome() instanceof TestResult.Outcome.Skipped(String reason)) {
                out.printf(
                        "  %s: %s%n",
                        result.title(), reason.isEmpty() ? "no reason given" : oneLine(reason));
            }
        }
    }

    private void leftOut(PrintStream out) {
        if (!reports.leftOut().isEmpty()) {
            out.printf(
                    "%nLeft out without --strict: Error Prone on the code of the tests, and %d long"
                            + " tests or classes:%n",
                    reports.leftOut().size());
            reports.leftOut().forEach(name -> out.println("  " + name));
        }
    }

    private List<TestResult> failed() {
        return reports.tests().stream()
                .filter(result -> result.outcome() instanceof TestResult.Outcome.Failed)
                .toList();
    }

    private List<TestResult> skipped() {
        return reports.tests().stream()
                .filter(result ->
                        result.outcome() instanceof TestResult.Outcome.Skipped skip
                                && !skip.isOfOtherMode())
                .toList();
    }

    private int elsewhere() {
        return (int)
                reports.tests().stream()
                        .filter(result ->
                                result.outcome() instanceof TestResult.Outcome.Skipped skip
                                        && skip.isOfOtherMode())
                        .count();
    }

    private boolean lacksPackages() {
        return reports.tests().stream()
                .anyMatch(result ->
                        result.outcome() instanceof TestResult.Outcome.Skipped skipped
                                && skipped.lacksPackage());
    }

    private static String oneLine(String text) {
        return String.join(" ", text.lines().map(String::strip).toList());
    }
}
