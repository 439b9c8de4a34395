package dev.serval.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// A configuration file as a tree of nodes. Stateless.
public final class TomlFile {
    /// The most characters of a file.
    public static final int TEXT_MAX_CHARS = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final String name;
    private final Variables variables;
    private final Mistakes mistakes;

    private TomlFile(String name, Variables variables, Mistakes mistakes) {
        this.name = name;
        this.variables = variables;
        this.mistakes = mistakes;
    }

    /// Reads the text of a file. Its absolute path counts, because the working folder of a server may have been
    /// removed and created again.
    ///
    /// @return null if a mistake was added
    public static @Nullable String text(Path file, Mistakes mistakes) {
        Path absolute = file.toAbsolutePath();
        try {
            if (Files.isDirectory(absolute)) {
                mistakes.add(
                        file.toString(), "This is a folder: name a file, such as serval.toml.");
                return null;
            }
            if (Files.size(absolute) > TEXT_MAX_CHARS) {
                mistakes.add(
                        file.toString(),
                        "The file is larger than 1 MiB, which no configuration needs.");
                return null;
            }
            String text = Files.readString(absolute);
            if (text.startsWith(BYTE_ORDER_MARK)) {
                mistakes.add(
                        file.toString(),
                        "The file begins with a byte order mark, which TOML does not have: save it in"
                                + " UTF-8 without one.");
                return null;
            }
            return text;
        } catch (CharacterCodingException e) {
            mistakes.add(file.toString(), "The file is not in UTF-8: save it in that encoding.");
        } catch (IOException e) {
            mistakes.add(
                    file.toString(),
                    Files.exists(absolute)
                            ? "The file cannot be read (" + e + ")."
                            : "There is no such file.");
        }
        return null;
    }

    /// Reads a text.
    ///
    /// @param name of the file, as messages show it
    /// @param environment the variables that the text may use
    /// @return null if the text is not TOML; then mistakes were added
    public static Node.@Nullable Table read(
            String name, String text, Map<String, String> environment, Mistakes mistakes) {
        TomlParseResult parsed = parse(name, text, mistakes);
        if (parsed == null) {
            return null;
        }
        return tree(name, parsed, environment, mistakes);
    }

    /// Reads a text as far as it can be understood. What is wrong is left out.
    public static Node.Table readable(String name, String text, Map<String, String> environment) {
        return tree(name, Toml.parse(text), environment, new Mistakes());
    }

    private static Node.Table tree(
            String name,
            TomlParseResult parsed,
            Map<String, String> environment,
            Mistakes mistakes) {
        return new TomlFile(name, new Variables(environment), mistakes).table(parsed, name);
    }

    /// Returns a text with its variables replaced.
    ///
    /// @param where its place
    public static Node.Scalar scalar(
            String text, String where, Map<String, String> environment, Mistakes mistakes) {
        return new Node.Scalar(
                where, new Variables(environment).replace(text, where, mistakes), text);
    }

    /// Parses a text without an interpretation of its variables.
    ///
    /// @return null if mistakes were added
    static @Nullable TomlParseResult parse(String name, String text, Mistakes mistakes) {
        if (text.length() > TEXT_MAX_CHARS) {
            mistakes.add(name, "The text is longer than 1 MiB, which no configuration needs.");
            return null;
        }
        TomlParseResult parsed = Toml.parse(text);
        for (TomlParseError error : parsed.errors()) {
            mistakes.add(where(name, error.position()), sentence(error));
        }
        return parsed.hasErrors() ? null : parsed;
    }

    private static String sentence(TomlParseError error) {
        String message = String.valueOf(error.getMessage());
        return "This is not TOML: " + message + ".";
    }

    private static String where(String name, @Nullable TomlPosition position) {
        return position == null ? name : name + ":" + position.line() + ":" + position.column();
    }

    private Node.Table table(TomlTable table, String where) {
        TableDraft draft = new TableDraft(where, variables, mistakes);
        for (String key : table.keySet()) {
            List<String> path = List.of(key);
            @Nullable Object value = table.get(path);
            if (value != null) {
                String at = where(name, table.inputPositionOf(path));
                draft.add(key, at, node(value, at));
            }
        }
        return draft.table();
    }

    private Node node(Object value, String where) {
        if (value instanceof TomlTable table) {
            return table(table, where);
        }
        if (value instanceof TomlArray array) {
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                nodes.add(node(array.get(i), where(name, array.inputPositionOf(i))));
            }
            return new Node.Items(where, nodes);
        }
        if (value instanceof String text) {
            return new Node.Scalar(where, variables.replace(text, where, mistakes), text);
        }
        return new Node.Scalar(where, value, value);
    }
}
