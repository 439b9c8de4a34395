package dev.serval.config;

import org.jspecify.annotations.Nullable;

/// The manual's page of all keys, made from the table. Stateless.
public final class Reference {
    private static final int WIDTH = 100;
    private static final String BEGIN =
            """
            # All keys of a configuration

            This page comes from the table of keys in the code (`./serval help --page` prints it), and a
            test compares them. [configuration.md](configuration.md) explains how the tables work together.
            `serval help KEY` shows a row of this page.

            A key that needs a restart is marked ↻. Sizes are bytes, or have the unit k, m or g. Times have
            the unit ms, s, m, h or d. Paths are relative to the folder of the file.
            """;

    private Reference() {}

    /// Returns the page.
    public static String page() {
        StringBuilder page = new StringBuilder(BEGIN);
        for (KeyPath each : KeyPath.all()) {
            @Nullable Key key = each.key();
            if (key == null) {
                section(page, each);
            } else {
                key(page, key);
            }
        }
        return page.toString();
    }

    private static void section(StringBuilder page, KeyPath path) {
        page.append("\n## `").append(path.section().header(path.path())).append("`\n\n");
        wrapped(page, path.section().what(), "", "");
        page.append('\n');
        if (path.path().equals("host")) {
            wrapped(page, "Its tables `[[host.mount]]` have the keys of `[[mount]]`.", "", "");
            page.append('\n');
        }
    }

    private static void key(StringBuilder page, Key key) {
        String usual = key.usual();
        String shown =
                key.traits().required()
                        ? "required"
                        : usual.isEmpty()
                                ? "no default"
                                : usual.startsWith("(")
                                        ? "default: " + usual.substring(1, usual.length() - 1)
                                        : "default: `" + usual + "`";
        wrapped(
                page,
                "**`"
                        + key.name()
                        + "`**"
                        + (key.traits().restart() ? " ↻" : "")
                        + " ("
                        + shown
                        + "): "
                        + escaped(key.what())
                        + " Takes "
                        + escaped(key.type().form())
                        + ".",
                "- ",
                "  ");
    }

    /// Returns a text in which nothing is Markdown.
    private static String escaped(String text) {
        return text.replace("*", "\\*").replace("$", "\\$").replace("[", "\\[").replace("<", "\\<");
    }

    private static void wrapped(StringBuilder page, String text, String first, String next) {
        StringBuilder line = new StringBuilder(first);
        boolean begins = true;
        for (String word : text.split(" ", -1)) {
            if (!begins && line.length() + 1 + word.length() > WIDTH) {
                page.append(line).append('\n');
                line = new StringBuilder(next);
                begins = true;
            }
            line.append(begins ? "" : " ").append(word);
            begins = false;
        }
        page.append(line).append('\n');
    }
}
