package dev.serval.http;

import dev.serval.codec.NameFolding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Patterns of decoded, normalised paths. A pattern matches a path, and everything below it, so that
/// text after the name of a script (`/x.inc/more`) does not get round it. Immutable; any thread.
///
/// | pattern | matches |
/// |---|---|
/// | `name`, `*.inc` | a file or folder of that name, at any depth |
/// | `/name/*.txt` | a path from the top of the mount |
/// | `/data`, `/data/**` | `/data` and everything below it |
///
/// `*` stands for any part of a name and `?` for one character; `**` as a whole name stands for any
/// number of names. Case does not matter, nor do characters that are not shown ([NameFolding]). A name
/// of the path is also compared without its parameters (`;`), its stream (`:`), and dots and spaces
/// at its end, because some file systems and applications drop these. So a pattern may match more
/// than it says, and never less.
///
/// What was found of the last short paths is remembered.
public final class PathPatterns {
    /// No patterns.
    public static final PathPatterns NONE = of(List.of());

    private static final String ANY_NAMES = "**";
    private static final int REMEMBERED_MAX_CHARS = 256;

    private final List<String> texts;
    private final List<String[]> patterns;
    private final Recent<String> recent = new Recent<>(this::isMatch);

    private PathPatterns(List<String> texts, List<String[]> patterns) {
        this.texts = texts;
        this.patterns = patterns;
    }

    /// Returns patterns of these texts.
    ///
    /// @throws IllegalArgumentException if one is malformed; the message states the valid forms
    public static PathPatterns of(List<String> texts) {
        List<String[]> patterns = new ArrayList<>();
        for (String text : texts) {
            patterns.add(names(text));
        }
        return new PathPatterns(List.copyOf(texts), List.copyOf(patterns));
    }

    /// Returns whether there are no patterns.
    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    private static String[] names(String text) {
        boolean whole = text.startsWith("/");
        boolean folder = text.length() > 1 && text.endsWith("/"); // the same without its slash
        String rest = text.substring(whole ? 1 : 0, text.length() - (folder ? 1 : 0));
        String closed = "/" + rest + "/";
        if (rest.isEmpty()
                || closed.contains("//")
                || closed.contains("/./")
                || closed.contains("/../")
                || rest.indexOf('\\') >= 0
                || rest.chars().anyMatch(Character::isISOControl)
                || (!whole && rest.indexOf('/') >= 0)) {
            throw new IllegalArgumentException(
                    "A pattern of paths is a name, such as *.inc, or begins with / and has no empty"
                            + " or dot segments, such as /data/**, but is \""
                            + text
                            + "\"");
        }
        List<String> names = new ArrayList<>();
        if (!whole) {
            names.add(ANY_NAMES);
        }
        for (String name : rest.split("/", -1)) {
            names.add(NameFolding.folded(name));
        }
        if (!names.getLast().equals(ANY_NAMES)) {
            names.add(ANY_NAMES);
        }
        return names.toArray(String[]::new);
    }

    /// Returns whether a pattern matches the normalised path `/name[/name…]`, or the empty path.
    public boolean matches(String path) {
        if (patterns.isEmpty()) {
            return false;
        }
        return path.length() > REMEMBERED_MAX_CHARS ? isMatch(path) : recent.of(path);
    }

    private boolean isMatch(String path) {
        List<String> names = new ArrayList<>();
        String folded = NameFolding.folded(path);
        int from = 0;
        for (int i = 0; i <= folded.length(); i++) {
            if (i == folded.length() || folded.charAt(i) == '/') {
                if (i > from) {
                    names.add(folded.substring(from, i));
                }
                from = i + 1;
            }
        }
        for (int i = 0; i < patterns.size(); i++) {
            if (matches(patterns.get(i), names)) {
                return true;
            }
        }
        return false;
    }

    /// Compares the names. After a difference it only moves what the last `**` stands for, so the
    /// time grows with the product of both numbers, at most.
    private static boolean matches(String[] pattern, List<String> names) {
        int p = 0;
        int star = -1;
        int starAt = 0;
        int n = 0;
        while (n < names.size()) {
            if (p < pattern.length && pattern[p].equals(ANY_NAMES)) {
                star = p++;
                starAt = n;
            } else if (p < pattern.length && nameMatches(pattern[p], names.get(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++starAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p].equals(ANY_NAMES)) {
            p++;
        }
        return p == pattern.length;
    }

    private static boolean nameMatches(String pattern, String name) {
        if (matches(pattern, name, name.length())) {
            return true;
        }
        int bare = bareEnd(name);
        return bare < name.length() && matches(pattern, name, bare);
    }

    /// Compares `name[0, end)` as [#matches(String[], List)] compares names.
    private static boolean matches(String pattern, String name, int end) {
        int p = 0;
        int star = -1;
        int starAt = 0;
        int n = 0;
        while (n < end) {
            char c = p < pattern.length() ? pattern.charAt(p) : 0;
            if (c == '*') {
                star = p++;
                starAt = n;
            } else if (c == '?' || (c != 0 && c == name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++starAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private static int bareEnd(String name) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != ';' && name.charAt(end) != ':') {
            end++;
        }
        while (end > 0 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) == ' ')) {
            end--;
        }
        return end;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathPatterns patterns && patterns.texts.equals(texts);
    }

    @Override
    public int hashCode() {
        return texts.hashCode();
    }

    @Override
    public String toString() {
        return texts.toString();
    }
}
