package dev.serval.figures;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the text of metrics as strictly as the specifications say: "Exposition formats" of Prometheus
/// for version 0.0.4, and OpenMetrics 1.0.0. Everything that a scraper could refuse or misread is an
/// error.
public final class StrictParser {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final Set<String> PLAIN_TYPES =
            Set.of("counter", "gauge", "histogram", "summary", "untyped");
    private static final Set<String> OPEN_TYPES =
            Set.of("counter", "gauge", "histogram", "summary", "info", "unknown", "stateset");

    private final boolean open;
    private final Map<String, Family> families = new LinkedHashMap<>();
    private @Nullable Family present;
    private boolean ended;

    private StrictParser(boolean open) {
        this.open = open;
    }

    /// A metric with its samples.
    public static final class Family {
        private final String name;
        private String type = "";
        private String help = "";
        private String unit = "";
        private final List<Sample> samples = new ArrayList<>();

        private Family(String name) {
            this.name = name;
        }

        /// Returns the name.
        public String name() {
            return name;
        }

        /// Returns the type.
        public String type() {
            return type;
        }

        /// Returns the text without escapes.
        public String help() {
            return help;
        }

        /// Returns the samples in their order.
        public List<Sample> samples() {
            return List.copyOf(samples);
        }
    }

    /// Returns a family of what was parsed.
    ///
    /// @throws AssertionError if there is none
    public static Family family(Map<String, Family> families, String name) {
        @Nullable Family family = families.get(name);
        if (family == null) {
            throw new AssertionError("There is no " + name);
        }
        return family;
    }

    /// A line.
    public record Sample(String name, Map<String, String> labels, double value) {}

    /// Parses a text of the given content type.
    ///
    /// @throws AssertionError at the first violation
    public static Map<String, Family> parse(String contentType, String text) {
        StrictParser parser = new StrictParser(contentType.startsWith("application/openmetrics"));
        check(text.endsWith("\n"), "the last line has no end");
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            parser.line(line);
        }
        check(!parser.open || parser.ended, "no # EOF");
        parser.families.values().forEach(parser::checkWhole);
        return parser.families;
    }

    private void line(String line) {
        check(!ended, "a line after # EOF: " + line);
        check(line.indexOf('\r') < 0, "a carriage return: " + line);
        if (line.equals("# EOF") && open) {
            ended = true;
        } else if (line.startsWith("# HELP ") || line.startsWith("# TYPE ")) {
            metadata(line);
        } else if (line.startsWith("# UNIT ") && open) {
            metadata(line);
        } else {
            check(!line.startsWith("#"), "a comment: " + line);
            check(!line.isEmpty() || !open, "an empty line");
            sample(line);
        }
    }

    private void metadata(String line) {
        String[] parts = line.split(" ", 4);
        check(parts.length == 4, "metadata without text: " + line);
        String name = parts[2];
        check(name.matches(NAME), "a name: " + line);
        Family family = families.get(name);
        if (family == null) {
            family = new Family(name);
            families.put(name, family);
        } else {
            check(family == present, "metadata of a family that has ended: " + line);
        }
        present = family;
        check(family.samples.isEmpty(), "metadata after samples: " + line);
        switch (parts[1]) {
            case "HELP" -> {
                check(family.help.isEmpty(), "a second HELP: " + line);
                family.help = unescaped(parts[3], open);
            }
            case "TYPE" -> {
                check(family.type.isEmpty(), "a second TYPE: " + line);
                check((open ? OPEN_TYPES : PLAIN_TYPES).contains(parts[3]), "a type: " + line);
                family.type = parts[3];
            }
            default -> {
                check(family.unit.isEmpty(), "a second UNIT: " + line);
                check(name.endsWith("_" + parts[3]), "a name without its unit: " + line);
                family.unit = parts[3];
            }
        }
    }

    private void sample(String line) {
        int nameEnd = 0;
        while (nameEnd < line.length() && "{ ".indexOf(line.charAt(nameEnd)) < 0) {
            nameEnd++;
        }
        String name = line.substring(0, nameEnd);
        check(name.matches(NAME), "a name: " + line);
        Map<String, String> labels = new LinkedHashMap<>();
        int at = nameEnd;
        if (line.charAt(at) == '{') {
            at = labels(line, at + 1, labels);
        }
        check(line.charAt(at) == ' ', "no space before the value: " + line);
        double value = number(line.substring(at + 1));
        @Nullable Family family = present;
        check(family != null && belongs(name, family), "not in its family: " + line);
        if (family != null) {
            Sample sample = new Sample(name, labels, value);
            for (Sample other : family.samples) {
                check(
                        !other.name.equals(name) || !other.labels.equals(labels),
                        "a second time: " + line);
            }
            family.samples.add(sample);
        }
    }

    private boolean belongs(String name, Family family) {
        Set<String> suffixes =
                switch (family.type) {
                    case "counter" -> open ? Set.of("_total", "_created") : Set.of("");
                    case "info" -> Set.of("_info");
                    case "histogram" ->
                            open
                                    ? Set.of("_bucket", "_sum", "_count", "_created")
                                    : Set.of("_bucket", "_sum", "_count");
                    case "summary" -> Set.of("", "_sum", "_count");
                    case "gauge", "untyped", "unknown" -> Set.of("");
                    default -> Set.of();
                };
        return suffixes.stream().anyMatch(end -> name.equals(family.name + end));
    }

    /// @return the position after the brace
    private static int labels(String line, int from, Map<String, String> labels) {
        int at = from;
        while (true) {
            int equals = line.indexOf('=', at);
            check(equals > 0, "a label without a value: " + line);
            String label = line.substring(at, equals);
            check(label.matches(LABEL) && !label.startsWith("__"), "a label: " + line);
            check(line.charAt(equals + 1) == '"', "a value without quotes: " + line);
            int end = equals + 2;
            while (line.charAt(end) != '"') {
                end += line.charAt(end) == '\\' ? 2 : 1;
            }
            String value = unescaped(line.substring(equals + 2, end), true);
            check(labels.put(label, value) == null, "a label twice: " + line);
            char next = line.charAt(end + 1);
            check(next == ',' || next == '}', "after a label: " + line);
            at = end + 2;
            if (next == '}') {
                return at;
            }
        }
    }

    private static String unescaped(String text, boolean quotes) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                check(i + 1 < text.length(), "an escape at the end: " + text);
                char next = text.charAt(++i);
                boolean known = next == '\\' || next == 'n' || (next == '"' && quotes);
                check(known, "an unknown escape: " + text);
                plain.append(next == 'n' ? '\n' : next);
            } else {
                check(c != '"' || !quotes, "a quote without an escape: " + text);
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            case "NaN" -> Double.NaN;
            default -> {
                check(text.matches("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?"), "a number: " + text);
                yield Double.parseDouble(text);
            }
        };
    }

    private void checkWhole(Family family) {
        check(!family.type.isEmpty(), "no TYPE: " + family.name);
        check(!family.samples.isEmpty(), "no sample: " + family.name);
        for (Family other : families.values()) { // OpenMetrics: names must not clash
            for (String end : List.of("_total", "_created", "_sum", "_count", "_bucket", "_info")) {
                check(!other.name.equals(family.name + end), "names that clash: " + other.name);
            }
        }
        for (Sample sample : family.samples) {
            boolean counts = family.type.equals("counter") || family.type.equals("histogram");
            check(!counts || sample.value >= 0, "a negative count: " + sample);
            check(!family.type.equals("info") || sample.value == 1, "an info: " + sample);
        }
        if (family.type.equals("histogram")) {
            checkHistogram(family);
        }
    }

    private void checkHistogram(Family family) {
        Map<Map<String, String>, List<Sample>> buckets = new HashMap<>();
        Map<Map<String, String>, Double> counts = new HashMap<>();
        Set<Map<String, String>> sums = new HashSet<>();
        for (Sample sample : family.samples) {
            Map<String, String> labels = new HashMap<>(sample.labels);
            if (sample.name.endsWith("_bucket")) {
                check(labels.containsKey("le"), "a bucket without le: " + sample);
                String bound = String.valueOf(labels.remove("le"));
                check(!open || bound.matches("\\d+\\.\\d+|\\+Inf"), "le: " + bound);
                buckets.computeIfAbsent(labels, _ -> new ArrayList<>()).add(sample);
            } else if (sample.name.endsWith("_count")) {
                counts.put(labels, sample.value);
            } else {
                sums.add(labels);
            }
        }
        check(buckets.keySet().equals(counts.keySet()), "buckets without count: " + family.name);
        check(buckets.keySet().equals(sums), "buckets without sum: " + family.name);
        buckets.forEach((labels, samples) -> {
            double bound = Double.NEGATIVE_INFINITY;
            double count = 0;
            for (Sample sample : samples) {
                double next = number(String.valueOf(sample.labels.get("le")));
                check(next > bound, "bounds that do not grow: " + sample);
                check(sample.value >= count, "counts that shrink: " + sample);
                bound = next;
                count = sample.value;
            }
            check(bound == Double.POSITIVE_INFINITY, "no +Inf: " + family.name);
            check(
                    count == counts.getOrDefault(labels, -1.0),
                    "_count is not that of +Inf: " + family.name);
        });
    }

    private static void check(boolean holds, String violation) {
        if (!holds) {
            throw new AssertionError(violation);
        }
    }
}
