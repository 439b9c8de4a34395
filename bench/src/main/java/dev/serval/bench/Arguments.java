package dev.serval.bench;

import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Reads the words of a command line in their order: options, each perhaps with a value, and names.
/// A [BenchFailure] says what is wrong with a value.
final class Arguments {

    private final Deque<String> rest;
    private String option = "";

    Arguments(List<String> words) {
        this.rest = new ArrayDeque<>(words);
    }

    boolean isEmpty() {
        return rest.isEmpty();
    }

    /// Returns the next option or name. The methods below read the value of this option.
    String next() {
        option = rest.pop();
        return option;
    }

    String value() {
        if (rest.isEmpty()) {
            throw new BenchFailure(option + " needs a value");
        }
        return rest.pop();
    }

    private String value(String pattern, String what) {
        String value = value();
        if (!value.matches(pattern)) {
            throw new BenchFailure(option + " needs " + what + ", not '" + value + "'");
        }
        return value;
    }

    int number() {
        return Integer.parseInt(value("[1-9][0-9]{0,4}", "a positive number"));
    }

    double ratio() {
        return Double.parseDouble(value("[1-9]\\.[0-9]{1,4}", "a ratio such as 1.03"));
    }

    /// Reads minutes, also fractions of one.
    Duration minutes() {
        String positive = "(?=.*[1-9])[0-9]{1,5}([.][0-9]{1,3})?";
        double minutes = Double.parseDouble(value(positive, "a positive number"));
        return Duration.ofMillis((long) (minutes * 60_000));
    }

    Path path() {
        return Path.of(value());
    }

    /// Reads names with commas between them.
    List<String> names() {
        return List.of(value().split(",", -1));
    }

    /// Reads words with blanks between them.
    List<String> words() {
        return List.of(value().trim().split(" +", -1));
    }
}
