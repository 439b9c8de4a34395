package dev.serval.settings;

import dev.serval.file.FileOptions;
import dev.serval.servlet.WebApp;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A folder, a single file or an application, and where it is served. Immutable.
///
/// @param path absolute; it was readable when it was checked
/// @param application whether it is a WAR, or a folder that has WEB-INF
/// @param files how it is served if it is not an application ([MountChoice.AppFiles])
public record Mount(Place place, Path path, boolean application, FileOptions files) {
    private static final String ROOT = "/";
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9*][A-Za-z0-9.-]*(?=/)");

    /// Creates the mount of an application.
    public static Mount application(Place place, Path path) {
        return new Mount(place, path, true, FileOptions.DEFAULT);
    }

    /// Returns the prefix of the place.
    public String prefix() {
        return place.prefix();
    }

    /// Parses one `[/PREFIX=]PATH`. Without a prefix, a folder or file is served at `/`. So is an
    /// application if it is the only argument. Otherwise its name decides: `shop.war` is `/shop`.
    ///
    /// Only an argument that begins with `/` can have a prefix, which ends at the first `=`. If a
    /// file or folder with exactly the argument's name exists, the whole argument is that path.
    /// `/=PATH` mounts any path at `/`, with any characters.
    ///
    /// @param alone whether it is the only argument
    /// @return null if a problem was added
    public static @Nullable Mount read(
            String argument, boolean alone, FileOptions files, Complaints problems) {
        if (!hasPrefix(argument)) {
            @Nullable Mount mount = of(Place.at(ROOT), argument, argument, files, problems);
            return mount == null || alone || !mount.application() ? mount : mount.named(problems);
        }
        int equals = argument.indexOf('=');
        @Nullable String prefix = prefix(argument.substring(0, equals), argument, problems);
        return prefix == null
                ? null
                : of(Place.at(prefix), argument.substring(equals + 1), argument, files, problems);
    }

    /// Returns whether the argument begins with a prefix, rather than being a path as a whole.
    public static boolean hasPrefix(String argument) {
        return argument.startsWith("/") && argument.indexOf('=') > 0 && !exists(argument);
    }

    /// Returns the host in front of a prefix, such as `www.example.org` of `www.example.org/shop`; empty
    /// if there is none, or a file has the name.
    public static String host(String text) {
        Matcher host = HOST.matcher(text);
        return host.lookingAt() && !exists(text) ? host.group() : "";
    }

    /// Checks a path, and returns its mount.
    ///
    /// @param argument what the user wrote, for a path that is empty
    /// @return null if a problem was added
    static @Nullable Mount of(
            Place place, String name, String argument, FileOptions files, Complaints problems) {
        if (name.isEmpty()) {
            problems.usage(
                    "\""
                            + argument
                            + "\" names no path: write the path of a folder"
                            + (argument.isEmpty() ? "." : " after the =, such as /docs=./site."));
            return null;
        }
        @Nullable Path path = path(name);
        if (path == null || !Files.exists(path)) {
            problems.environment("There is no \"" + name + "\"" + hint(name));
            return null;
        }
        boolean folder = Files.isDirectory(path);
        if (!folder && name.endsWith(".jar")) {
            problems.environment(
                    "\""
                            + name
                            + "\" is a jar, which Serval cannot run: build a WAR, such as with"
                            + " <packaging>war</packaging> in Maven.");
            return null;
        }
        // Reading a device or a FIFO could block for ever.
        if (!folder && !Files.isRegularFile(path)) {
            problems.environment(
                    "\"" + name + "\" is neither a folder nor a file: give one of these.");
            return null;
        }
        if (!Files.isReadable(path) || (folder && !Files.isExecutable(path))) {
            problems.environment(
                    "This user may not read \""
                            + name
                            + "\": add the permission "
                            + (folder ? "r and x." : "r."));
            return null;
        }
        boolean application =
                folder ? Files.isDirectory(path.resolve("WEB-INF")) : name.endsWith(".war");
        Path absolute = path.toAbsolutePath().normalize();
        return application
                ? application(place, absolute)
                : new Mount(place, absolute, false, files);
    }

    /// Returns this application at the prefix that its name asks for.
    ///
    /// @return null if a problem was added
    public @Nullable Mount named(Complaints problems) {
        try {
            String contextPath = WebApp.contextPathOf(path);
            String prefix = contextPath.isEmpty() ? ROOT : contextPath;
            return application(new Place(place.host(), prefix), path);
        } catch (IllegalArgumentException e) {
            problems.usage(e.getMessage() + ".");
            return null;
        }
    }

    /// Returns the checked prefix of an argument `/PREFIX=…`.
    ///
    /// @return null if a problem was added
    public static @Nullable String prefix(String argument, Complaints problems) {
        return prefix(argument.substring(0, argument.indexOf('=')), argument, problems);
    }

    /// Checks a prefix, and drops a slash at its end.
    ///
    /// @param argument what the user wrote
    /// @return null if a problem was added
    static @Nullable String prefix(String text, String argument, Complaints problems) {
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
                                + " control character): write it decoded, such as /my docs.");
                return null;
            }
        }
        // A normalised request path never contains these.
        String closed = prefix + "/";
        if (closed.contains("//") || closed.contains("/./") || closed.contains("/../")) {
            problems.usage(
                    "The prefix of \""
                            + argument
                            + "\" has an empty segment, \".\" or \"..\": write /name or"
                            + " /name/name, such as /docs or /shop/help.");
            return null;
        }
        if (prefix.endsWith("/*") || prefix.endsWith("/**")) {
            String bare = prefix.substring(0, prefix.lastIndexOf('/'));
            problems.usage(
                    "The prefix of \""
                            + argument
                            + "\" ends with a star: a mount serves all paths below its prefix, so write "
                            + (bare.isEmpty() ? "/" : bare)
                            + ".");
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
            return ": the shell does not expand ~ after a =, so write $HOME instead.";
        }
        if (name.matches("unix:.+|[A-Za-z0-9.-]+:\\d{1,5}(/.*)?")) {
            return ": for a server at that address, write http://"
                    + name
                    + ", or fastcgi:// or scgi:// in place of http://.";
        }
        if (name.matches("(https?|fastcgi|scgi):.*")) {
            return ": an address is written as http://127.0.0.1:9000 or fastcgi://unix:/run/app.sock.";
        }
        return name.startsWith("/")
                ? "."
                : " in " + Path.of("").toAbsolutePath() + ": give a path that exists.";
    }

    private static boolean exists(String name) {
        @Nullable Path path = path(name);
        return path != null && Files.exists(path);
    }

    /// Returns the path, or null if this system cannot have a file of that name.
    private static @Nullable Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
