package dev.serval.testkit.verify;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The time that each module took, by phase, and the time of each test class. A module's last goal
/// has no line that ends it, so it gets the rest of the total that Maven prints. The object that
/// reads Maven's output owns it.
final class Timings {
    private static final int SLOWEST_MAX = 20;

    /// What a goal of Maven is counted as.
    enum Phase {
        COMPILE("compile"),
        TEST_COMPILE("test compile"),
        CHECKS("checks"),
        TESTS("tests"),
        PACKAGE("package");

        private final String title;

        Phase(String title) {
            this.title = title;
        }

        /// Returns the phase of a goal.
        ///
        /// @param goal plug-in and goal, such as `compiler:compile`
        static Phase of(String goal) {
            return switch (goal) {
                case "compiler:compile" -> COMPILE;
                case "compiler:testCompile" -> TEST_COMPILE;
                case "surefire:test" -> TESTS;
                case "enforcer:enforce", "spotless:check", "checkstyle:check" -> CHECKS;
                default -> PACKAGE;
            };
        }
    }

    /// The seconds of one module.
    private static final class Module {
        private final Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        private Phase open = Phase.PACKAGE;

        double total() {
            return sum(seconds);
        }

        /// Ends the goal that is open.
        void ends(double took) {
            seconds.merge(open, took, Double::sum);
        }
    }

    /// One test class.
    private record Slow(String name, double seconds) {}

    private final Map<String, Module> modules = new LinkedHashMap<>();
    private final List<Slow> classes = new ArrayList<>();
    private double byTheClock; // seconds from Maven's start to its end; 0 before

    /// Starts a module or one of its goals.
    ///
    /// @param goal plug-in and goal, such as `compiler:compile`
    /// @param secondsBefore what the module's previous goal took
    void goal(String module, String goal, double secondsBefore) {
        Module times = modules.computeIfAbsent(module, _ -> new Module());
        times.ends(secondsBefore);
        times.open = Phase.of(goal);
    }

    /// Ends a module.
    ///
    /// @param total Maven's figure, such as `25.850 s` or `03:14 min`
    void ended(String module, String total) {
        Module times = modules.get(module);
        if (times != null) {
            times.ends(Math.max(0, seconds(total) - times.total()));
        }
    }

    /// Ends the run.
    ///
    /// @param total Maven's figure, as of a module
    void ended(String total) {
        byTheClock = seconds(total);
    }

    /// Counts a test class.
    void ran(String name, double seconds) {
        classes.add(new Slow(name, seconds));
    }

    /// Prints the seconds of each module and phase and of the run, and the slowest test classes.
    void print(PrintStream out) {
        if (modules.isEmpty()) {
            return;
        }
        int width = modules.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder head = new StringBuilder(pad("Seconds", width + 2));
        Map<Phase, Double> sums = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            head.append("  ").append(phase.title);
        }
        out.printf("%n%s  all%n", head);
        modules.forEach((name, times) -> {
            times.seconds.forEach((phase, seconds) -> sums.merge(phase, seconds, Double::sum));
            out.println(row(pad("  " + name, width + 2), times.seconds));
        });
        out.println(row(pad("  together", width + 2), sums));
        if (byTheClock > 0) {
            // Modules are built side by side.
            out.println(
                    pad(pad("  by the clock", width + 2), head.length()) + number(byTheClock, 5));
        }
        if (!classes.isEmpty()) {
            out.printf("%nSlowest test classes:%n");
        }
        classes.stream()
                .sorted(Comparator.comparingDouble(Slow::seconds).reversed())
                .limit(SLOWEST_MAX)
                .forEach(slow -> out.printf(Locale.ROOT, "%7.1f s  %s%n", slow.seconds, slow.name));
    }

    private static String row(String name, Map<Phase, Double> seconds) {
        StringBuilder row = new StringBuilder(name);
        for (Phase phase : Phase.values()) {
            row.append("  ").append(number(seconds.getOrDefault(phase, 0.0), phase.title.length()));
        }
        return row.append(number(sum(seconds), 5)).toString();
    }

    private static double sum(Map<Phase, Double> seconds) {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String number(double seconds, int width) {
        String digits = String.valueOf(Math.round(seconds));
        return " ".repeat(Math.max(0, width - digits.length())) + digits;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /// Returns the seconds of `25.850 s`, `03:14 min` or `01:02 h`.
    private static double seconds(String total) {
        int colon = total.indexOf(':');
        int space = total.indexOf(' ', Math.max(0, colon));
        if (colon < 0) {
            return Double.parseDouble(total.strip().substring(0, total.strip().indexOf(' ')));
        }
        double lesser = total.endsWith("h") ? 60 : 1;
        double greater = 60 * lesser;
        return Integer.parseInt(total.substring(0, colon).strip()) * greater
                + Integer.parseInt(total.substring(colon + 1, space)) * lesser;
    }
}
