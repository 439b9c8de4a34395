package dev.serval.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The type of the values of a key. Immutable.
///
/// A scalar type turns what the file says into a Java value, or into nothing if it is wrong. The
/// words of [#form] complete the sentence "KEY takes …".
public sealed interface KeyType {
    /// A flag: [Boolean].
    Scalar FLAG = new Scalar("flag", "true or false", KeyType::flag);

    /// Any text: [String].
    Scalar TEXT = new Scalar("text", "a text in quotes", KeyType::text);

    /// A path of a file or folder, relative to the folder of the configuration file: [String].
    Scalar PATH = new Scalar("path", "the path of a file or folder in quotes", KeyType::path);

    /// Returns what is right, such as `a time such as 30s`.
    String form();

    /// A type of one value.
    ///
    /// @param name in the manual
    /// @param reader returns null for a wrong value
    record Scalar(String name, String form, Function<Object, @Nullable Object> reader)
            implements KeyType {}

    /// A list of values, of which one alone needs no brackets: [List].
    record Several(Scalar item) implements KeyType {
        @Override
        public String form() {
            return item.form() + ", or a list of these";
        }
    }

    /// A table with any keys: [Map] from text.
    ///
    /// @param key what its keys are, such as `the name of a field`
    /// @param names the keys that are right
    /// @param item the type of the values
    record Names(String key, Pattern names, Scalar item) implements KeyType {
        @Override
        public String form() {
            return "a table whose keys are " + key + " and whose values are " + item.form();
        }
    }

    /// Returns the type of a text that a pattern describes.
    static Scalar text(String name, String form, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return new Scalar(
                name,
                form,
                value ->
                        value instanceof String text && compiled.matcher(text).matches()
                                ? text
                                : null);
    }

    /// Returns the type of one of some words.
    static Scalar choice(String... words) {
        List<String> all = List.of(words);
        return new Scalar(
                "choice",
                words(all),
                value -> value instanceof String text && all.contains(text) ? text : null);
    }

    /// Returns the type of a whole number: [Long].
    static Scalar number(long least, long most) {
        return new Scalar(
                "number",
                "a number from " + least + " to " + most,
                value -> within(wholeNumber(value), least, most));
    }

    /// Returns the type of a number of bytes: [Long].
    static Scalar size(long least, long most) {
        return new Scalar(
                "size",
                "a size such as 500k, 10m or 2g, from " + sizeText(least) + " to " + sizeText(most),
                value -> within(sizeBytes(value), least, most));
    }

    /// Returns the type of a time: [Duration].
    ///
    /// @param zero what 0 means; empty if it is wrong
    static Scalar time(Duration most, String zero) {
        return time("500ms, 30s, 5m or 2h", most, zero, _ -> true);
    }

    /// Returns the type of a time of whole seconds: [Duration].
    ///
    /// @param zero what 0 means; empty if it is wrong
    static Scalar seconds(Duration most, String zero) {
        return time("30s, 5m, 2h or 7d", most, zero, time -> time.toMillisPart() == 0);
    }

    private static Scalar time(
            String examples, Duration most, String zero, Predicate<Duration> takes) {
        return new Scalar(
                "time",
                "a time such as "
                        + examples
                        + ", at most "
                        + timeText(most)
                        + (zero.isEmpty() ? "" : ", or 0 for " + zero),
                value -> {
                    @Nullable Duration time = time(value);
                    boolean right =
                            time != null
                                    && time.compareTo(most) <= 0
                                    && takes.test(time)
                                    && (!time.isZero() || !zero.isEmpty());
                    return right ? time : null;
                });
    }

    private static String words(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    }

    private static @Nullable Object flag(Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        return "true".equals(value) ? Boolean.TRUE : "false".equals(value) ? Boolean.FALSE : null;
    }

    private static @Nullable Object text(Object value) {
        return value instanceof String text && text.indexOf('\0') < 0 ? text : null;
    }

    private static @Nullable Object path(Object value) {
        if (!(value instanceof String text) || text.isEmpty()) {
            return null;
        }
        try {
            Path _ = Path.of(text);
            return text;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static @Nullable Long within(@Nullable Long number, long least, long most) {
        return number != null && number >= least && number <= most ? number : null;
    }

    private static @Nullable Long wholeNumber(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        return value instanceof String text && text.matches("\\d{1,18}")
                ? Long.valueOf(text)
                : null;
    }

    private static @Nullable Long sizeBytes(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        Matcher matcher = Units.SIZE.matcher(String.valueOf(value));
        if (!(value instanceof String) || !matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> number << 10;
            case "m" -> number << 20;
            case "g" -> number << 30;
            default -> number;
        };
    }

    private static @Nullable Duration time(Object value) {
        if (value instanceof Long number) {
            return number == 0 ? Duration.ZERO : null; // other numbers need a unit
        }
        if (!(value instanceof String text)) {
            return null;
        }
        Matcher matcher = Units.TIME.matcher(text);
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /// Returns a number of bytes as people write it, such as `10m`.
    static String sizeText(long bytes) {
        if (bytes >= 1L << 30 && bytes % (1L << 30) == 0) {
            return (bytes >> 30) + "g";
        }
        if (bytes >= 1L << 20 && bytes % (1L << 20) == 0) {
            return (bytes >> 20) + "m";
        }
        return bytes >= 1L << 10 && bytes % (1L << 10) == 0
                ? (bytes >> 10) + "k"
                : Long.toString(bytes);
    }

    /// Returns a time as people write it, such as `30s`.
    static String timeText(Duration time) {
        long millis = time.toMillis();
        if (millis == 0) {
            return "0";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /// The patterns of numbers with units.
    final class Units {
        private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kKmMgG]?)");
        private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

        private Units() {}
    }
}
