package dev.serval.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.MutableTomlArray;
import org.tomlj.MutableTomlTable;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/// Changes the text of a file so that it says what a tree says. What is equal in both keeps its text,
/// its place and its comments. Stateless.
public final class TomlEdit {
    private TomlEdit() {}

    /// Returns the changed text.
    ///
    /// @param text of a file that was read before, so it is right
    /// @param wanted the tree, whose texts still have their variables
    /// @throws IllegalArgumentException if the text is not TOML
    public static String changed(String text, Node.Table wanted) {
        Mistakes mistakes = new Mistakes();
        @Nullable TomlParseResult file = TomlFile.parse("", text, mistakes);
        if (file == null) {
            throw new IllegalArgumentException("The file is not TOML: " + mistakes.lines());
        }
        change(file, wanted);
        String toml = file.toToml();
        String changed = toml.endsWith("\n") || toml.isEmpty() ? toml : toml + "\n";
        @Nullable TomlParseResult again = TomlFile.parse("", changed, mistakes);
        if (again == null || !equal(again, wanted)) { // never write a file that says another thing
            throw new IllegalArgumentException(
                    "The change cannot be written into this file: write it by hand");
        }
        return changed;
    }

    private static void change(MutableTomlTable table, Node.Table wanted) {
        Map<String, Node> entries = wanted.byWritten();
        for (String key : List.copyOf(table.keySet())) {
            if (!entries.containsKey(key)) {
                table.remove(List.of(key));
            }
        }
        entries.forEach((key, node) -> {
            @Nullable Object present = table.get(List.of(key));
            if (present instanceof MutableTomlTable inner && node instanceof Node.Table other) {
                change(inner, other);
            } else if (present instanceof MutableTomlArray array
                    && node instanceof Node.Items items) {
                change(array, items);
            } else if (present == null || !equal(present, node)) {
                table.set(List.of(key), plain(node));
            }
        });
    }

    /// Keeps the items at the beginning and the end that are equal, and changes those between.
    private static void change(MutableTomlArray array, Node.Items wanted) {
        List<Node> nodes = wanted.nodes();
        int first = 0;
        while (first < array.size()
                && first < nodes.size()
                && equal(array.get(first), nodes.get(first))) {
            first++;
        }
        int last = 0;
        while (last < array.size() - first
                && last < nodes.size() - first
                && equal(array.get(array.size() - 1 - last), nodes.get(nodes.size() - 1 - last))) {
            last++;
        }
        int between = Math.min(array.size(), nodes.size()) - first - last;
        for (int i = first; i < first + between; i++) {
            replace(array, i, nodes.get(i));
        }
        while (array.size() > nodes.size()) {
            array.remove(first + between);
        }
        for (int i = first + between; array.size() < nodes.size(); i++) {
            insert(array, i, plain(nodes.get(i)));
        }
    }

    private static void replace(MutableTomlArray array, int i, Node node) {
        if (array.get(i) instanceof MutableTomlTable inner && node instanceof Node.Table table) {
            change(inner, table);
        } else if (array.get(i) instanceof MutableTomlArray inner
                && node instanceof Node.Items items) {
            change(inner, items);
        } else {
            array.set(i, plain(node));
        }
    }

    private static void insert(MutableTomlArray array, int i, Object value) {
        if (i < array.size()) {
            array.insertBefore(i, value);
        } else {
            array.add(value);
        }
    }

    private static boolean equal(Object present, Node node) {
        if (present instanceof TomlTable table && node instanceof Node.Table other) {
            Map<String, Node> entries = other.byWritten();
            return table.keySet().equals(entries.keySet())
                    && entries.entrySet().stream()
                            .allMatch(
                                    entry -> equal(inner(table, entry.getKey()), entry.getValue()));
        }
        if (present instanceof TomlArray array && node instanceof Node.Items items) {
            boolean same = array.size() == items.nodes().size();
            for (int i = 0; same && i < array.size(); i++) {
                same = equal(array.get(i), items.nodes().get(i));
            }
            return same;
        }
        return node instanceof Node.Scalar scalar && present.equals(scalar.written());
    }

    private static Object inner(TomlTable table, String key) {
        @Nullable Object value = table.get(List.of(key));
        return value == null ? "" : value;
    }

    /// Returns a value as the library takes it.
    private static Object plain(Node node) {
        if (node instanceof Node.Table table) {
            Map<String, Object> map = new LinkedHashMap<>();
            table.byWritten().forEach((key, each) -> map.put(key, plain(each)));
            return MutableTomlTable.copyOf(map);
        }
        if (node instanceof Node.Items items) {
            List<Object> list = new ArrayList<>();
            items.nodes().forEach(each -> list.add(plain(each)));
            return MutableTomlArray.copyOf(list);
        }
        return ((Node.Scalar) node).written();
    }
}
