package dev.serval.testkit.mode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The tests that do not run in each mode, by `modes.txt`. Immutable.
///
/// The file has groups. Each begins with the modes and the reason in one line, such as `h2c h2: HTTP/2 has
/// no Upgrade`. Each further line names a class, or a test as `ClassTest.method`. An empty line ends the
/// group. Lines that begin with `#` are comments.
///
/// @param exceptions the lines
public record ModeExceptions(List<Listed> exceptions) {
    /// The words with which the reason of a test that did not run begins.
    public static final String NOT_OVER = "Not over ";

    private static final ModeExceptions LISTED = read();

    /// A class or a test that does not run in some modes.
    ///
    /// @param name `ClassTest` or `ClassTest.method`
    public record Listed(String name, Set<Mode> modes, String reason) {
        /// Returns the class.
        public String className() {
            int dot = name.indexOf('.');
            return dot < 0 ? name : name.substring(0, dot);
        }
    }

    /// Returns the exceptions that the file lists.
    public static ModeExceptions listed() {
        return LISTED;
    }

    /// Returns whether a test of the class does not run in the mode.
    boolean concern(String className, Mode mode) {
        return exceptions.stream()
                .anyMatch(
                        each -> each.className().equals(className) && each.modes().contains(mode));
    }

    /// Returns why a test does not run in the mode; empty if it does.
    String reason(String className, String method, Mode mode) {
        String test = className + "." + method;
        return exceptions.stream()
                .filter(each -> each.name().equals(className) || each.name().equals(test))
                .filter(each -> each.modes().contains(mode))
                .map(Listed::reason)
                .findFirst()
                .orElse("");
    }

    private static ModeExceptions read() {
        try (InputStream in = ModeExceptions.class.getResourceAsStream("modes.txt")) {
            if (in == null) {
                throw new IllegalStateException("modes.txt is missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads the lines of a file.
    static ModeExceptions parse(String text) {
        List<Listed> all = new ArrayList<>();
        Set<Mode> modes = EnumSet.noneOf(Mode.class);
        String reason = "";
        for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
            if (line.isEmpty()) {
                reason = "";
            } else if (reason.isEmpty()) {
                int colon = line.indexOf(": ");
                modes = EnumSet.noneOf(Mode.class);
                for (String name : line.substring(0, colon).split(" ", -1)) {
                    modes.add(Mode.valueOf(name.toUpperCase(Locale.ROOT)));
                }
                reason = line.substring(colon + 2);
            } else {
                all.add(new Listed(line, Set.copyOf(modes), reason));
            }
        }
        return new ModeExceptions(List.copyOf(all));
    }
}
