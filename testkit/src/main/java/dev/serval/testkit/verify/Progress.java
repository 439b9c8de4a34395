package dev.serval.testkit.verify;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads Maven's output line by line and prints the progress: a line when a module begins, one when
/// its tests are done, one for each failed test class, and a sign of life in between. If a module
/// fails without a failed test, keeps the errors. The reading thread and a timer call it.
final class Progress {
    private static final Pattern BUILDING =
            Pattern.compile("\\[INFO] Building (.+?) \\S+ +\\[(\\d+)/(\\d+)]");
    private static final Pattern RUNNING = Pattern.compile("\\[INFO] Running (\\S+)");
    private static final Pattern RAN =
            Pattern.compile(
                    "\\[\\w+] Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+),"
                            + ".* -- in (\\S+)");
    private static final Pattern OUTCOME =
            Pattern.compile("\\[INFO] (.+?) \\.* ?(SUCCESS|FAILURE|SKIPPED)(?: \\[.*)?");
    private static final Pattern WARNING =
            Pattern.compile("\\[WARNING] \\S+\\.java:\\[\\d+,\\d+] .*");
    private static final String ERROR = "[ERROR] ";
    private static final String GOAL_FAILED = "Failed to execute goal ";
    private static final Pattern NO_REASON = Pattern.compile("See |Command was |at |-> \\[Help");
    private static final int REASON_LINES_MAX = 6;
    private static final int ERRORS_MAX = 20;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final PrintStream out;
    private final LongSupplier clock;
    private final Map<String, List<String>> errors = new LinkedHashMap<>();
    private final List<String> failedModules = new ArrayList<>();
    private final List<String> skippedModules = new ArrayList<>();
    private final List<String> failedGoals = new ArrayList<>();
    private final List<String> unfinished = new ArrayList<>();
    private final Set<String> modulesWithFailedTests = new HashSet<>();
    private String module = "";
    private String running = "";
    private long moduleSince;
    private long runningSince;
    private int tests;
    private int failed;
    private int skipped;
    private int reasonLines; // number of reason lines that may follow
    private boolean summary;

    /// Creates a progress display.
    ///
    /// @param clock the time in nanoseconds
    Progress(PrintStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
    }

    /// Reads one line of Maven's output.
    synchronized void line(String line) {
        Matcher building = BUILDING.matcher(line);
        Matcher ran = RAN.matcher(line);
        Matcher begun = RUNNING.matcher(line);
        Matcher outcome = OUTCOME.matcher(line);
        if (building.matches()) {
            moduleEnded();
            module = building.group(1);
            moduleSince = clock.getAsLong();
            out.printf("[%s/%s] %s%n", building.group(2), building.group(3), module);
        } else if (ran.matches()) {
            ran(ran);
        } else if (begun.matches()) {
            running = begun.group(1);
            runningSince = clock.getAsLong();
        } else if (line.startsWith("[INFO] Reactor Summary")) {
            moduleEnded();
            summary = true;
        } else if (summary && outcome.matches() && !outcome.group(1).equals("BUILD")) {
            switch (outcome.group(2)) {
                case "FAILURE" -> failedModules.add(outcome.group(1));
                case "SKIPPED" -> skippedModules.add(outcome.group(1));
                default -> {
                    // The line of its tests was printed before.
                }
            }
        } else if (line.startsWith(ERROR)) {
            error(line.substring(ERROR.length()).strip());
        } else if (WARNING.matcher(line).matches()) {
            // A warning fails the build, but the build's error does not show the warning.
            error(line.substring(line.indexOf(' ') + 1));
        }
    }

    /// Prints which class runs and for how long.
    synchronized void signOfLife() {
        if (!running.isEmpty()) {
            out.printf(
                    "      %d tests so far; %s has run for %d s%n",
                    tests, shortName(running), seconds(runningSince));
        }
    }

    /// Returns the modules that failed without a failed test, each with its first errors.
    synchronized Map<String, List<String>> faults() {
        Map<String, List<String>> faults = new LinkedHashMap<>();
        for (String name : failedModules) {
            if (!modulesWithFailedTests.contains(name)) {
                faults.put(name, List.copyOf(errors.getOrDefault(name, List.of())));
            }
        }
        if (failedModules.isEmpty() && errors.containsKey("")) {
            faults.put("Maven", List.copyOf(errors.getOrDefault("", List.of())));
        }
        return faults;
    }

    /// Returns the goals that failed with the first lines of Maven's reason, except goals with
    /// failed tests.
    synchronized List<String> failedGoals() {
        return List.copyOf(failedGoals);
    }

    /// Returns the modules that were not built because a module that they need failed.
    synchronized List<String> skippedModules() {
        return List.copyOf(skippedModules);
    }

    /// Returns the test classes that began but never ended, because their JVM crashed or was ended.
    synchronized List<String> unfinished() {
        return List.copyOf(unfinished);
    }

    private void ran(Matcher ran) {
        int bad = Integer.parseInt(ran.group(2)) + Integer.parseInt(ran.group(3));
        tests += Integer.parseInt(ran.group(1));
        failed += bad;
        skipped += Integer.parseInt(ran.group(4));
        running = "";
        if (bad > 0) {
            out.printf(
                    "      FAILED: %d of %s in %s%n", bad, ran.group(1), shortName(ran.group(5)));
        }
    }

    private void error(String text) {
        if (summary) {
            failedGoal(text);
        } else if (!text.isEmpty()) {
            List<String> sofar = errors.computeIfAbsent(module, _ -> new ArrayList<>());
            if (sofar.size() < ERRORS_MAX) {
                sofar.add(text);
            }
        }
    }

    /// Collects the reason from the goal's line or from some of the lines after it.
    private void failedGoal(String text) {
        if (text.startsWith(GOAL_FAILED)) {
            boolean ofTests = text.contains("There are test failures");
            reasonLines = ofTests ? 0 : REASON_LINES_MAX;
        } else if (text.startsWith("To see the full stack trace")) {
            reasonLines = 0;
        }
        if (reasonLines > 0 && !text.isEmpty() && !NO_REASON.matcher(text).lookingAt()) {
            reasonLines--;
            failedGoals.add(text);
        }
    }

    private void moduleEnded() {
        if (tests > 0) {
            out.printf(
                    "      %d tests, %d failed, %d skipped, %d s%n",
                    tests, failed, skipped, seconds(moduleSince));
        }
        if (failed > 0) {
            modulesWithFailedTests.add(module);
        }
        if (!running.isEmpty()) {
            unfinished.add(running);
        }
        tests = 0;
        failed = 0;
        skipped = 0;
        running = "";
    }

    private long seconds(long since) {
        return (clock.getAsLong() - since) / NANOS_PER_SECOND;
    }

    private static String shortName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
