package dev.serval.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The text of `serval help KEY`. Stateless.
public final class KeyHelp {
    private static final int WIDTH = 78;
    private static final int COLUMN = 28; // after the longest name

    private KeyHelp() {}

    /// Returns the help for a key or table.
    ///
    /// @param name such as `mount.folder`, or a table as messages name it: `[[mount]]`
    /// @return null if nothing has that name
    public static @Nullable String of(String name) {
        List<KeyPath> found = KeyPath.find(name.replaceAll("^\\[+|\\]+$", ""));
        return found.isEmpty()
                ? null
                : found.stream().map(KeyHelp::one).collect(Collectors.joining("\n"));
    }

    /// Returns the name that was probably meant; null if none is near.
    public static @Nullable String nearest(String name) {
        List<String> names = new ArrayList<>();
        for (KeyPath each : KeyPath.all()) {
            names.add(each.path());
            names.add(each.path().substring(each.path().lastIndexOf('.') + 1));
        }
        return Nearest.to(name, names);
    }

    /// Returns a list of all tables with their keys.
    public static String all() {
        StringBuilder text = new StringBuilder("The keys of a configuration, by table:\n");
        for (KeyPath each : KeyPath.all()) {
            if (each.key() == null) {
                text.append('\n').append(each.section().header(each.path())).append('\n');
            } else {
                String name = each.key().name();
                text.append("  ").append(name).append(" ".repeat(COLUMN - name.length() - 3));
                words(text, each.key().what().split("(?<=[.]) ", 2)[0], COLUMN);
            }
        }
        return text.append("\nserval help KEY tells more about one, such as mount.folder.\n")
                .toString();
    }

    private static String one(KeyPath path) {
        @Nullable Key key = path.key();
        StringBuilder text = new StringBuilder();
        if (key == null) {
            text.append(path.section().header(path.path())).append('\n');
            paragraph(text, path.section().what());
            for (Key each : path.section().keys()) {
                text.append("  ").append(each.name()).append('\n');
            }
            return text.toString();
        }
        text.append(path.path()).append('\n');
        paragraph(text, key.what());
        paragraph(text, "It takes " + key.type().form() + ".");
        text.append("  default: ")
                .append(key.usual().isEmpty() ? "none" : key.usual())
                .append('\n');
        if (key.traits().required()) {
            text.append("  Its table needs it.\n");
        }
        if (key.traits().restart()) {
            text.append("  A change needs a restart.\n");
        }
        return text.toString();
    }

    private static void paragraph(StringBuilder text, String words) {
        text.append(' ');
        words(text, words, 1);
    }

    /// Appends words, whose lines begin at a column.
    private static void words(StringBuilder text, String words, int begin) {
        int column = begin;
        for (String word : words.split(" ", -1)) {
            if (column + 1 + word.length() > WIDTH) {
                text.append('\n').append(" ".repeat(begin));
                column = begin;
            }
            text.append(' ').append(word);
            column += 1 + word.length();
        }
        text.append('\n');
    }
}
