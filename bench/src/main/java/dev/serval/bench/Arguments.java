package dev.serval.bench;

import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// Reads the words of a command line in their order: options, each perhaps with a value, and names.
/// A [BenchFailure] says what is wrong with a value.
public final class Arguments {
    private final Deque<String> rest;
    private String option = "";

    /// Makes a reader of these words.
    public Arguments(List<String> words) {
        this.rest = new ArrayDeque<>(words);
    }

    /// Returns whether all words were read.
    public boolean isEmpty() {
        return rest.isEmpty();
    }

    /// Returns the next option or name. The methods below read the value of this option.
    public String next() {
        option = rest.pop();
        return option;
    }

    /// Reads a value.
    public String value() {
        BenchFailure.require(!rest.isEmpty(), option + " needs a value");
        return rest.pop();
    }

    private String value(String pattern, String what) {
        String value = value();
        if (!value.matches(pattern)) {
            throw new BenchFailure(option + " needs " + what + ", not '" + value + "'");
        }
        return value;
    }

    /// Reads a positive number of up to five digits.
    public int number() {
        return Integer.parseInt(value("[1-9][0-9]{0,4}", "a positive number"));
    }

    /// Reads a ratio of 1 or more.
    public double ratio() {
        return Double.parseDouble(value("[1-9]\\.[0-9]{1,4}", "a ratio such as 1.03"));
    }

    /// Reads minutes, also fractions of one.
    public Duration minutes() {
        String positive = "(?=.*[1-9])[0-9]{1,5}([.][0-9]{1,3})?";
        double minutes = Double.parseDouble(value(positive, "a positive number"));
        return Duration.ofMillis((long) (minutes * 60_000));
    }

    /// Reads a path.
    public Path path() {
        return Path.of(value());
    }

    /// Reads names with commas between them.
    public List<String> names() {
        return List.of(value().split(",", -1));
    }

    /// Reads words with blanks between them, perhaps none.
    public List<String> words() {
        return Arrays.stream(value().split(" ", -1)).filter(word -> !word.isEmpty()).toList();
    }
}
