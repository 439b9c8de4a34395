package dev.serval.servlet.archive;

import java.nio.file.Path;
import java.util.Locale;

/// Derives the context path of an application from the name of its archive or folder (Servlet 6.1
/// §4.4 leaves it to the container). Stateless.
public final class ContextPath {
    private static final String WAR = ".war";

    private ContextPath() {}

    /// Returns the context path that a name asks for, without percent encoding:
    ///
    /// - `ROOT.war` is mounted at the root, whose context path is empty.
    /// - `x.war` is mounted at `/x`.
    /// - `a#b.war` is mounted at `/a/b`, because a file name cannot have a slash.
    ///
    /// @throws IllegalArgumentException if the name gives no path; the message says what to do
    public static String of(Path archiveOrFolder) {
        Path file = archiveOrFolder.toAbsolutePath().normalize();
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        if (name.toLowerCase(Locale.ROOT).endsWith(WAR)) {
            name = name.substring(0, name.length() - WAR.length());
        }
        if (name.contains("##")) {
            throw new IllegalArgumentException(
                    file
                            + " names a version after \"##\", but parallel versions of an"
                            + " application are not supported: rename it to "
                            + name.substring(0, name.indexOf("##"))
                            + WAR);
        }
        if (name.equals("ROOT")) {
            return "";
        }
        return checked("/" + name.replace('#', '/'), file.toString());
    }

    /// Returns the context path of an explicit prefix, which wins over the file's name: empty or
    /// `/` for the root, else `/name` with or without a slash at its end.
    ///
    /// @throws IllegalArgumentException if the prefix is not a path
    public static String ofPrefix(String prefix) {
        String path = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        return path.isEmpty() ? "" : checked(path, "The prefix " + prefix);
    }

    private static String checked(String path, String source) {
        boolean right = path.startsWith("/");
        for (String segment : path.substring(1).split("/", -1)) {
            right &= !segment.isEmpty() && !segment.equals(".") && !segment.equals("..");
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            right &= !Character.isISOControl(c) && "\\?#;%".indexOf(c) < 0;
        }
        if (!right) {
            throw new IllegalArgumentException(
                    source
                            + " gives no context path: use a prefix such as /shop/cart, without"
                            + " empty segments, \".\", \"..\" or any of \\ ? # ; %");
        }
        return path;
    }
}
