package dev.serval.testkit.verify;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads Maven's output line by line and prints the progress: a line when a module begins, one when
/// its tests are done, one for each failed test class, and a sign of life in between. If a module
/// fails without a failed test, keeps the errors. The reading thread and a timer call it.
///
/// Modules are built side by side, so their lines are mixed. Maven is told to begin each line with
/// the name of its thread (`-Dorg.slf4j.simpleLogger.showThreadName=true`), and a thread builds one
/// module at a time. The lines of test classes come from other threads, and name the class.
final class Progress {
    private static final Pattern THREAD =
            Pattern.compile("\\[(?!INFO]|WARNING]|ERROR])([^]]+)] (\\[(?:INFO|WARNING|ERROR)] .*)");
    private static final Pattern BUILDING =
            Pattern.compile("\\[INFO] Building (.+?) \\S+ +\\[(\\d+)/(\\d+)]");
    private static final Pattern GOAL =
            Pattern.compile(
                    "\\[INFO] --- (?:maven-)?([\\w-]+?)(?:-maven)?(?:-plugin)?:[^:]+:(\\w+) .*@ .*");

    /// A class's name. A JVM may add a warning to Maven's line, because they share the console.
    private static final String CLASS = "(\\S+?)(?:WARNING: .*)?";

    private static final Pattern RUNNING = Pattern.compile("\\[INFO] Running " + CLASS);
    private static final Pattern RAN =
            Pattern.compile(
                    "\\[\\w+] Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+),"
                            + " Time elapsed: ([\\d.]+) s.* -- in "
                            + CLASS);
    private static final Pattern TOTALS =
            Pattern.compile(
                    "\\[\\w+] Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)");
    private static final Pattern OUTCOME =
            Pattern.compile("\\[INFO] (.+?) \\.* ?(SUCCESS|FAILURE|SKIPPED)(?: \\[(.*)])?");
    private static final Pattern ALL = Pattern.compile("\\[INFO] Total time: +([\\d.:]+ \\w+).*");
    private static final Pattern WARNING =
            Pattern.compile("\\[WARNING] \\S+\\.java:\\[\\d+,\\d+] .*");
    private static final String ERROR = "[ERROR] ";
    private static final String GOAL_FAILED = "Failed to execute goal ";
    private static final Pattern NO_REASON = Pattern.compile("See |Command was |at |-> \\[Help");
    private static final int REASON_LINES_MAX = 6;
    private static final int ERRORS_MAX = 20;
    private static final double NANOS_PER_SECOND = 1e9;

    /// The module that a thread of Maven builds.
    private static final class Build {
        final String module;
        final long since;
        long goalSince;

        Build(String module, long now) {
            this.module = module;
            since = now;
            goalSince = now;
        }
    }

    private final PrintStream out;
    private final LongSupplier clock;
    private final Timings timings = new Timings();
    private final Map<String, Build> builds = new HashMap<>(); // by thread
    private final Map<String, Long> running = new LinkedHashMap<>(); // classes, with their starts
    private final Map<String, List<String>> errors = new LinkedHashMap<>();
    private final List<String> failedModules = new ArrayList<>();
    private final List<String> skippedModules = new ArrayList<>();
    private final List<String> failedGoals = new ArrayList<>();
    private final Set<String> modulesWithFailedTests = new HashSet<>();
    private int tests;
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
    synchronized void line(String raw) {
        Matcher threaded = THREAD.matcher(raw);
        String thread = threaded.matches() ? threaded.group(1) : "";
        String line = threaded.matches() ? threaded.group(2) : raw;
        Matcher building = BUILDING.matcher(line);
        Matcher goal = GOAL.matcher(line);
        if (building.matches()) {
            builds.put(thread, new Build(building.group(1), clock.getAsLong()));
            out.printf("[%s/%s] %s%n", building.group(2), building.group(3), building.group(1));
        } else if (goal.matches()) {
            goal(thread, goal.group(1) + ":" + goal.group(2));
        } else if (line.startsWith("[INFO] Reactor Summary")) {
            summary = true;
        } else if (line.startsWith(ERROR) && !TOTALS.matcher(line).lookingAt()) {
            error(thread, line.substring(ERROR.length()).strip());
        } else if (WARNING.matcher(line).matches()) {
            // A warning fails the build, but the build's error does not show the warning.
            error(thread, line.substring(line.indexOf(' ') + 1));
        } else {
            result(thread, line);
        }
    }

    /// Reads a line about a test class, or about the end of a module.
    private void result(String thread, String line) {
        Matcher begun = RUNNING.matcher(line);
        Matcher ran = RAN.matcher(line);
        Matcher totals = TOTALS.matcher(line);
        Matcher outcome = OUTCOME.matcher(line);
        Matcher all = ALL.matcher(line);
        if (begun.matches()) {
            running.put(begun.group(1), clock.getAsLong());
        } else if (ran.matches()) {
            ran(ran);
        } else if (totals.matches() && builds.get(thread) != null) {
            tested(builds.get(thread), totals);
        } else if (summary && outcome.matches() && !outcome.group(1).equals("BUILD")) {
            ended(outcome);
        } else if (all.matches()) {
            timings.ended(all.group(1));
        }
    }

    private void goal(String thread, String goal) {
        Build build = builds.get(thread);
        if (build != null) {
            long now = clock.getAsLong();
            timings.goal(build.module, goal, (now - build.goalSince) / NANOS_PER_SECOND);
            build.goalSince = now;
        }
    }

    private void ended(Matcher outcome) {
        String module = outcome.group(1);
        switch (outcome.group(2)) {
            case "FAILURE" -> failedModules.add(module);
            case "SKIPPED" -> skippedModules.add(module);
            default -> {
                // The line of its tests was printed before.
            }
        }
        if (outcome.group(3) != null) {
            timings.ended(module, outcome.group(3));
        }
    }

    /// Prints which classes run and for how long.
    synchronized void signOfLife() {
        if (!running.isEmpty()) {
            StringJoiner classes = new StringJoiner(", ");
            running.forEach((name, since) ->
                    classes.add(shortName(name) + " has run for " + seconds(since) + " s"));
            out.printf("      %d tests so far; %s%n", tests, classes);
        }
    }

    /// Returns how long the modules and the test classes took.
    Timings timings() {
        return timings;
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
        return List.copyOf(running.keySet());
    }

    private void ran(Matcher ran) {
        int bad = Integer.parseInt(ran.group(2)) + Integer.parseInt(ran.group(3));
        String name = ran.group(6);
        tests += Integer.parseInt(ran.group(1));
        running.remove(name);
        timings.ran(shortName(name), Double.parseDouble(ran.group(5)));
        if (bad > 0) {
            out.printf("      FAILED: %d of %s in %s%n", bad, ran.group(1), shortName(name));
        }
    }

    /// Reads the totals of a module.
    private void tested(Build build, Matcher totals) {
        int bad = Integer.parseInt(totals.group(2)) + Integer.parseInt(totals.group(3));
        out.printf(
                "      %s: %s tests, %d failed, %s skipped, %d s%n",
                build.module, totals.group(1), bad, totals.group(4), seconds(build.since));
        if (bad > 0) {
            modulesWithFailedTests.add(build.module);
        }
    }

    private void error(String thread, String text) {
        if (summary) {
            failedGoal(text);
        } else if (!text.isEmpty()) {
            Build build = builds.get(thread);
            List<String> sofar =
                    errors.computeIfAbsent(
                            build == null ? "" : build.module, _ -> new ArrayList<>());
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

    private long seconds(long since) {
        return (long) ((clock.getAsLong() - since) / NANOS_PER_SECOND);
    }

    private static String shortName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
