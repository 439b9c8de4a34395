package dev.serval.command;

import dev.serval.file.FileOptions;
import dev.serval.settings.Mount;
import dev.serval.settings.MountChoice;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Problems;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The arguments of `serval run`, which name what is served, and the option for files. Stateless.
final class MountSyntax {
    private static final String CHARSET = "--charset";
    private static final String NO_CHARSET = "none";

    private MountSyntax() {}

    /// Adds the arguments and the option to a command.
    static void addTo(CommandSpec run) {
        run.addPositional(
                Options.arguments(
                        "[/PREFIX=]PATH",
                        "A folder of files, or a Servlet application: a WAR, or a folder"
                                + " that has WEB-INF. Or an upstream: http://HOST:PORT,"
                                + " fastcgi://HOST:PORT or scgi://HOST:PORT, also with"
                                + " unix:FILE. Folders are served at /. One"
                                + " application alone is served at /, others at their"
                                + " names (shop.war at /shop). Default: a welcome page."));
        run.addOption(
                Options.value(
                        CHARSET,
                        "NAME",
                        "The charset that text files of folders are sent with; none for pages that"
                                + " name theirs themselves. Default: utf-8."));
    }

    /// Returns what the command line says. What it mounts takes the place of what a file mounts there.
    ///
    /// @param base what the file says
    static MountChoice read(ParseResult parsed, MountChoice base, Problems problems) {
        List<String> arguments = parsed.matchedPositionalValue(0, List.of());
        @Nullable String charset = charset(parsed, problems);
        MountChoice served = charset == null ? base : base.withCharset(charset);
        List<Mount> mounts = mounts(arguments, served.usualFiles(), problems);
        MountChoice own = new MountChoice(mounts, List.of());
        List<NeighbourMount> neighbours =
                NeighbourMounts.read(
                        arguments, text -> Mount.prefix(text, problems), own::isTaken, problems);
        return served.overriddenBy(new MountChoice(mounts, neighbours));
    }

    private static List<Mount> mounts(
            List<String> arguments, FileOptions files, Problems problems) {
        List<Mount> mounts = new ArrayList<>();
        for (String argument : arguments) {
            if (NeighbourMount.isNeighbour(argument)) {
                continue;
            }
            if (argument.endsWith(".toml")) {
                problems.usage(
                        "\""
                                + argument
                                + "\" is a configuration: write --config "
                                + argument
                                + ".");
                continue;
            }
            @Nullable Mount mount = Mount.read(argument, arguments.size() == 1, files, problems);
            if (mount == null) {
                continue;
            }
            for (Mount other : mounts) {
                if (other.place().equals(mount.place())) {
                    problems.usage(twice(other, mount));
                }
            }
            mounts.add(mount);
        }
        return mounts;
    }

    private static String twice(Mount first, Mount second) {
        String name = String.valueOf(second.path().getFileName()).replace(' ', '-');
        boolean root = first.prefix().equals("/");
        return first.path()
                + " and "
                + second.path()
                + " would both be served at "
                + first.prefix()
                + ": give one of them another prefix, such as "
                + (root ? "/" : first.prefix() + "/")
                + (name.isEmpty() || name.equals("null") ? "other" : name)
                + "="
                + second.path()
                + ".";
    }

    /// Returns the charset of text files, empty for none; null without the option, or after a problem.
    private static @Nullable String charset(ParseResult parsed, Problems problems) {
        @Nullable String charset = parsed.matchedOptionValue(CHARSET, null);
        if (charset == null || isKnown(charset)) {
            return charset;
        }
        if (charset.equals(NO_CHARSET)) {
            return "";
        }
        problems.usage(
                CHARSET
                        + " takes the name of a charset, such as utf-8 or iso-8859-1, or none,"
                        + " not \""
                        + charset
                        + "\".");
        return null;
    }

    /// A name such as ISO_8859-1:1987 cannot stand in a Content-Type (RFC 9110 §5.6.2).
    private static boolean isKnown(String charset) {
        try {
            return Charset.isSupported(charset) && charset.indexOf(':') < 0;
        } catch (IllegalCharsetNameException e) {
            return false;
        }
    }
}
