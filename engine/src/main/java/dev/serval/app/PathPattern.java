package dev.serval.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The path of a route: segments that stand for themselves, `{name}` for any one segment that is not
/// empty, and at the end `{name...}` for the rest of the path, slashes included. Immutable.
final class PathPattern {
    /// A segment of the pattern.
    sealed interface Segment {
        /// Stands for itself.
        record Literal(String text) implements Segment {}

        /// Any one segment.
        record Parameter(String name) implements Segment {}

        /// The rest of the path.
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

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException saying what is wrong and what would be right
    static PathPattern of(String text) {
        require(text.startsWith("/"), text, "begins with a slash");
        require(
                text.indexOf('?') < 0 && text.indexOf('#') < 0,
                text,
                "has no query and no fragment");
        require(!text.contains("*"), text, "has {name...} for the rest of a path, not *");
        require(plain(text), text, "has no backslash and no control character");
        require(!encoded(text), text, "is written decoded, without %");
        List<Segment> segments = new ArrayList<>();
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            Segment segment = segment(parts[i], text);
            boolean last = i == parts.length - 1;
            require(
                    last || !(segment instanceof Segment.Rest),
                    text,
                    "has {name...} at its end only");
            require(last || !parts[i].isEmpty(), text, "has no empty segment");
            segments.add(segment);
        }
        long names = segments.stream().map(PathPattern::name).filter(Objects::nonNull).count();
        long distinct =
                segments.stream()
                        .map(PathPattern::name)
                        .filter(Objects::nonNull)
                        .distinct()
                        .count();
        require(names == distinct, text, "names each parameter once");
        return new PathPattern(text, List.copyOf(segments));
    }

    List<Segment> segments() {
        return segments;
    }

    /// The value of a parameter in a path that this pattern matches.
    ///
    /// @param bytes the path is `bytes[from, to)`
    /// @throws IllegalArgumentException if the pattern has no such parameter
    String parameter(String name, byte[] bytes, int from, int to) {
        int at = from;
        for (Segment segment : segments) {
            int start = at + 1; // behind the slash
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
            require(!part.equals(".") && !part.equals(".."), text, "has no segment . or ..");
            return new Segment.Literal(part);
        }
        boolean whole = part.startsWith("{") && part.endsWith("}");
        require(whole, text, "has parameters that are whole segments, such as /{name}/");
        String inner = part.substring(1, part.length() - 1);
        boolean rest = inner.endsWith("...");
        String name = rest ? inner.substring(0, inner.length() - 3) : inner;
        require(
                name.matches("[A-Za-z_][A-Za-z_0-9]*"),
                text,
                "names parameters with letters, digits and _");
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
