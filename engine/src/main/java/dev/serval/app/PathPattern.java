package dev.serval.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The path of a route: literal segments, and `{name}` for any one segment that is not empty. At
/// the end, `{name...}` matches the rest of the path, slashes included. Immutable.
final class PathPattern {
    /// A segment of the pattern.
    sealed interface Segment {
        /// Matches only its own text.
        record Literal(String text) implements Segment {}

        /// Matches any one segment that is not empty.
        record Parameter(String name) implements Segment {}

        /// Matches the rest of the path.
        record Rest(String name) implements Segment {}
    }

    /// The path `/`.
    static final PathPattern ROOT = of("/");

    private final String text;
    private final List<Segment> segments;

    private PathPattern(String text, List<Segment> segments) {
        this.text = text;
        this.segments = segments;
    }

    /// Parses a pattern.
    ///
    /// @throws IllegalArgumentException if it is malformed, with the rule that it breaks
    static PathPattern of(String text) {
        require(text.startsWith("/"), text, "must begin with a slash");
        require(
                text.indexOf('?') < 0 && text.indexOf('#') < 0,
                text,
                "must have no query and no fragment");
        require(!text.contains("*"), text, "must have {name...} for the rest of a path, not *");
        require(plain(text), text, "must have no backslash and no control character");
        require(!encoded(text), text, "must be written decoded, without %");
        List<Segment> segments = new ArrayList<>();
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            Segment segment = segment(parts[i], text);
            boolean last = i == parts.length - 1;
            require(
                    last || !(segment instanceof Segment.Rest),
                    text,
                    "must have {name...} only at its end");
            require(last || !parts[i].isEmpty(), text, "must have no empty segment");
            segments.add(segment);
        }
        long names = segments.stream().map(PathPattern::name).filter(Objects::nonNull).count();
        long distinct =
                segments.stream()
                        .map(PathPattern::name)
                        .filter(Objects::nonNull)
                        .distinct()
                        .count();
        require(names == distinct, text, "must name each parameter once");
        return new PathPattern(text, List.copyOf(segments));
    }

    List<Segment> segments() {
        return segments;
    }

    /// Returns the value of a parameter in the path `bytes[from, to)`, which this pattern matches.
    ///
    /// @throws IllegalArgumentException if the pattern has no such parameter
    String parameter(String name, byte[] bytes, int from, int to) {
        int at = from;
        for (Segment segment : segments) {
            int start = Math.min(at + 1, to); // after the slash, which the path of a mount lacks
            int end = segment instanceof Segment.Rest ? to : end(bytes, start, to);
            if (name.equals(name(segment))) {
                return new String(bytes, start, end - start, StandardCharsets.UTF_8);
            }
            at = end;
        }
        throw new IllegalArgumentException(
                "The route " + text + " has no parameter {" + name + "}.");
    }

    @Override
    public String toString() {
        return text;
    }

    private static int end(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != '/') {
            end++;
        }
        return end;
    }

    private static Segment segment(String part, String text) {
        boolean braces = part.indexOf('{') >= 0 || part.indexOf('}') >= 0;
        if (!braces) {
            require(!part.equals(".") && !part.equals(".."), text, "must have no segment . or ..");
            return new Segment.Literal(part);
        }
        boolean whole = part.startsWith("{") && part.endsWith("}");
        require(whole, text, "must have only parameters that are whole segments, such as /{name}/");
        String inner = part.substring(1, part.length() - 1);
        boolean rest = inner.endsWith("...");
        String name = rest ? inner.substring(0, inner.length() - 3) : inner;
        require(
                name.matches("[A-Za-z_][A-Za-z_0-9]*"),
                text,
                "must name parameters with letters, digits and _");
        return rest ? new Segment.Rest(name) : new Segment.Parameter(name);
    }

    private static @Nullable String name(Segment segment) {
        return switch (segment) {
            case Segment.Literal _ -> null;
            case Segment.Parameter parameter -> parameter.name();
            case Segment.Rest rest -> rest.name();
        };
    }

    private static boolean plain(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c != 0x7f && c != '\\');
    }

    private static boolean encoded(String text) {
        return text.matches(".*%[0-9A-Fa-f]{2}.*");
    }

    private static void require(boolean right, String text, String rule) {
        if (!right) {
            throw new IllegalArgumentException(
                    "The path of a route " + rule + ": \"" + text + "\"");
        }
    }
}
