package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a client's program printed.
///
/// @param program its name, for messages
record Printed(String program, String output) {
    /// Returns the first group of a pattern.
    ///
    /// @throws BenchFailure with the last line if there is none
    String text(String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(output);
        if (!found.find()) {
            String last = output.lines().filter(line -> !line.isBlank()).reduce("", (_, l) -> l);
            throw new BenchFailure(
                    program + " failed: " + (last.isEmpty() ? "it printed nothing" : last));
        }
        return found.group(1);
    }

    /// Returns the first group of a pattern as a number with decimals.
    double figure(String pattern) {
        return Double.parseDouble(text(pattern));
    }

    /// Returns the first group of a pattern as a count.
    long number(String pattern) {
        return Long.parseLong(text(pattern));
    }
}
