package dev.serval.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks a tree against the table of keys, and reports everything that is wrong with it. Used by
/// one thread.
public final class SchemaReader {
    private static final int SHOWN_CHARS = 60;

    private final Section root;
    private final Mistakes mistakes;

    private SchemaReader(Section root, Mistakes mistakes) {
        this.root = root;
        this.mistakes = mistakes;
    }

    /// Returns the values of a tree. Those that are wrong are left out, and reported.
    public static Values read(Node.Table tree, Section root, Mistakes mistakes) {
        return new SchemaReader(root, mistakes).table(tree, root, "");
    }

    private Values table(Node.Table tree, Section section, String path) {
        Map<String, Values.Value> own = new LinkedHashMap<>();
        Map<String, List<Values>> tables = new LinkedHashMap<>();
        tree.entries()
                .forEach((name, node) -> {
                    @Nullable Key key = section.key(name);
                    @Nullable Section inner = section.section(name);
                    if (key != null) {
                        @Nullable Object value = value(key, node, mistakes);
                        if (value != null) {
                            own.put(name, new Values.Value(value, node.where()));
                        }
                    } else if (inner != null) {
                        tables.put(name, inner(node, inner, joined(path, name)));
                    } else {
                        mistakes.add(node.where(), Unknown.key(root, section, path, name));
                    }
                });
        for (Key key : section.keys()) {
            if (key.traits().required() && !tree.entries().containsKey(key.name())) {
                mistakes.add(
                        tree.where(),
                        section.header(path)
                                + " needs the key "
                                + key.name()
                                + ", which takes "
                                + key.type().form()
                                + ".");
            }
        }
        return new Values(section, tree.where(), own, tables);
    }

    private List<Values> inner(Node node, Section section, String path) {
        if (node instanceof Node.Table one) {
            return List.of(table(one, section, path));
        }
        List<Values> all = new ArrayList<>();
        if (node instanceof Node.Items items && section.many()) {
            for (Node item : items.nodes()) {
                if (item instanceof Node.Table table) {
                    all.add(table(table, section, path));
                } else {
                    mistakes.add(item.where(), isTable(section, path));
                }
            }
            return all;
        }
        boolean twice = node instanceof Node.Items;
        mistakes.add(
                node.where(),
                twice
                        ? "There is only one table " + path + ": write [" + path + "] once."
                        : isTable(section, path));
        return all;
    }

    private static String isTable(Section section, String path) {
        return path + " is a table: write " + section.header(path) + " and its keys below.";
    }

    private static String joined(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /// Returns the value of a key; null if a mistake was added.
    static @Nullable Object value(Key key, Node node, Mistakes mistakes) {
        if (key.type() instanceof KeyType.Scalar type) {
            return scalar(key, key.name(), type, node, mistakes);
        }
        if (key.type() instanceof KeyType.Several several) {
            return several(key, several, node, mistakes);
        }
        if (key.type() instanceof KeyType.Names names) {
            return names(key, names, node, mistakes);
        }
        throw new IllegalStateException("No such type: " + key.type());
    }

    private static @Nullable Object scalar(
            Key key, String name, KeyType.Scalar type, Node node, Mistakes mistakes) {
        @Nullable Object value =
                node instanceof Node.Scalar scalar && fits(scalar, type)
                        ? type.reader().apply(scalar.value())
                        : null;
        if (value == null && !mistakes.isAt(node.where())) { // such as a variable that is missing
            mistakes.add(
                    node.where(),
                    name + " takes " + type.form() + ", not " + shown(node, key) + ".");
        }
        return value;
    }

    /// Returns whether a number or flag that is written as a text is allowed, because the text came
    /// from a variable.
    private static boolean fits(Node.Scalar scalar, KeyType.Scalar type) {
        boolean bare = type.name().equals("number") || type.name().equals("flag");
        return !bare || !(scalar.value() instanceof String) || scalar.substituted();
    }

    private static @Nullable Object several(
            Key key, KeyType.Several type, Node node, Mistakes mistakes) {
        List<Node> nodes = node instanceof Node.Items items ? items.nodes() : List.of(node);
        if (nodes.isEmpty() && key.traits().required()) {
            mistakes.add(
                    node.where(),
                    key.name() + " takes " + type.form() + ", but this list is empty.");
        }
        List<Object> values = new ArrayList<>();
        for (Node each : nodes) {
            @Nullable Object value = scalar(key, key.name(), type.item(), each, mistakes);
            if (value != null) {
                values.add(value);
            }
        }
        return values.size() == nodes.size() ? List.copyOf(values) : null;
    }

    private static @Nullable Object names(
            Key key, KeyType.Names type, Node node, Mistakes mistakes) {
        if (!(node instanceof Node.Table table)) {
            mistakes.add(
                    node.where(),
                    key.name() + " takes " + type.form() + ", not " + shown(node, key) + ".");
            return null;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        table.entries()
                .forEach((name, each) -> {
                    if (!type.names().matcher(name).matches()) {
                        mistakes.add(
                                each.where(),
                                key.name()
                                        + " takes "
                                        + type.key()
                                        + " as its keys, not \""
                                        + name
                                        + "\".");
                        return;
                    }
                    @Nullable Object value =
                            scalar(key, key.name() + "." + name, type.item(), each, mistakes);
                    if (value != null) {
                        values.put(name, value);
                    }
                });
        return Collections.unmodifiableMap(values);
    }

    private static String shown(Node node, Key key) {
        if (node instanceof Node.Table) {
            return "a table";
        }
        if (node instanceof Node.Items) {
            return "a list";
        }
        Secrecy secrecy = key.traits().secrecy();
        boolean hidden = secrecy == Secrecy.WHOLE || secrecy == Secrecy.FIELDS;
        if (hidden || !(node instanceof Node.Scalar scalar)) {
            return "this value";
        }
        String value = shown(secrecy.masked("", String.valueOf(scalar.value())));
        if (scalar.substituted()) {
            return "\"" + value + "\", which is " + shown(String.valueOf(scalar.written()));
        }
        return scalar.value() instanceof String ? "\"" + value + "\"" : value;
    }

    private static String shown(String text) {
        String plain = plain(text);
        return plain.length() > SHOWN_CHARS ? plain.substring(0, SHOWN_CHARS) + "…" : plain;
    }

    /// Shows line ends and other control characters as TOML writes them.
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                plain.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
