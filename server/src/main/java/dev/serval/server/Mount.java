package dev.serval.server;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A folder, or a single file, and the path prefix it is served at. Immutable.
///
/// @param prefix `/` or `/name[/name…]`
/// @param path absolute; could be read when it was checked
record Mount(String prefix, Path path) {
    /// Reads one `[/PREFIX=]PATH`.
    ///
    /// Only an argument that begins with `/` can have a prefix, which ends at the first `=`. Where a
    /// file or folder of exactly the argument's name exists, the whole argument is that path;
    /// `/=PATH` mounts any path at `/` whatever characters it has.
    ///
    /// @return null where a problem was added
    static @Nullable Mount read(String argument, Problems problems) {
        int equals = argument.startsWith("/") ? argument.indexOf('=') : -1;
        if (equals < 0 || exists(argument)) {
            return of("/", argument, argument, problems);
        }
        @Nullable String prefix = prefix(argument.substring(0, equals), argument, problems);
        return prefix == null
                ? null
                : of(prefix, argument.substring(equals + 1), argument, problems);
    }

    private static @Nullable Mount of(
            String prefix, String name, String argument, Problems problems) {
        if (name.isEmpty()) {
            problems.usage(
                    "\""
                            + argument
                            + "\" names nothing: write the path of a folder"
                            + (argument.isEmpty() ? "." : " behind the =, such as /docs=./site."));
            return null;
        }
        @Nullable Path path = path(name);
        if (path == null || !Files.exists(path)) {
            problems.environment("There is no \"" + name + "\"" + hint(name));
            return null;
        }
        boolean folder = Files.isDirectory(path);
        if (!folder && (name.endsWith(".war") || name.endsWith(".jar"))) {
            problems.environment(
                    "\""
                            + name
                            + "\" is an application: this version serves files and does not run"
                            + " applications yet.");
            return null;
        }
        // A device or a FIFO could hold up whoever reads it.
        if (!folder && !Files.isRegularFile(path)) {
            problems.environment(
                    "\"" + name + "\" is neither a folder nor a file: give one of these.");
            return null;
        }
        if (!Files.isReadable(path) || (folder && !Files.isExecutable(path))) {
            problems.environment(
                    "\""
                            + name
                            + "\" may not be read by this user: it needs the permission "
                            + (folder ? "r and x." : "r."));
            return null;
        }
        return new Mount(prefix, path.toAbsolutePath().normalize());
    }

    /// Checks a prefix; a slash at its end is dropped.
    private static @Nullable String prefix(String text, String argument, Problems problems) {
        if (text.equals("/")) {
            return text;
        }
        String prefix = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        for (int at = 0; at < prefix.length(); at++) {
            char c = prefix.charAt(at);
            if (c < ' ' || c == 0x7f || "%?#;\\".indexOf(c) >= 0) {
                problems.usage(
                        "The prefix of \""
                                + argument
                                + "\" has a character that no prefix can have (% ? # ; \\ or a"
                                + " control character): write it as it reads when decoded, such as"
                                + " /my docs=./site.");
                return null;
            }
        }
        // What a request's path never has once it is normalised.
        String closed = prefix + "/";
        if (closed.contains("//") || closed.contains("/./") || closed.contains("/../")) {
            problems.usage(
                    "The prefix of \""
                            + argument
                            + "\" has an empty segment, \".\" or \"..\": write /name or"
                            + " /name/name, such as /docs=./site.");
            return null;
        }
        return prefix;
    }

    private static String hint(String name) {
        int equals = name.indexOf('=');
        if (equals > 0 && name.charAt(0) != '/') {
            return ": to serve \""
                    + name.substring(equals + 1)
                    + "\" at /"
                    + name.substring(0, equals)
                    + ", write \"/"
                    + name
                    + "\".";
        }
        if (name.startsWith("~/") || name.equals("~")) {
            return ": the shell leaves ~ alone behind a =, so write $HOME instead.";
        }
        return name.startsWith("/")
                ? "."
                : " in " + Path.of("").toAbsolutePath() + ": give a path that exists.";
    }

    private static boolean exists(String name) {
        @Nullable Path path = path(name);
        return path != null && Files.exists(path);
    }

    /// Null where this system cannot have a file of that name.
    private static @Nullable Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
