package dev.serval.bench.peer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// The keys of a table in a TOML file. Each method refuses what it cannot read by a [BenchFailure]
/// with the file and the place.
///
/// @param name of the table; empty for the whole file
/// @param start of the table; null for the whole file
record Keys(String file, String name, @Nullable TomlPosition start, TomlTable table) {
    /// Parses a text.
    ///
    /// @param file as messages name it
    static Keys parse(String file, String text) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            var error = parsed.errors().getFirst();
            throw failure(file, error.position(), "This is not TOML: " + error.getMessage());
        }
        return new Keys(file, "", null, parsed);
    }

    /// Refuses every key that is not known.
    void requireKnown(Collection<String> known) {
        for (String key : table.keySet()) {
            if (!known.contains(key)) {
                throw wrong(
                        key, "The key is unknown; there are: " + String.join(", ", known) + ".");
            }
        }
    }

    /// Returns the names of all keys.
    List<String> names() {
        return List.copyOf(table.keySet());
    }

    boolean has(String key) {
        return table.contains(List.of(key));
    }

    boolean isTable(String key) {
        return table.isTable(List.of(key));
    }

    /// Returns a text that must be present.
    String text(String key) {
        return optionalText(key).orElseThrow(() -> missing(key));
    }

    Optional<String> optionalText(String key) {
        return value(key, String.class, "a text");
    }

    boolean flag(String key) {
        return value(key, Boolean.class, "true or false").orElse(false);
    }

    /// Returns the texts of an array, or none if the key is missing.
    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        value(key, TomlArray.class, "an array of texts")
                .ifPresent(array ->
                        array.toList()
                                .forEach(one -> {
                                    if (!(one instanceof String text)) {
                                        throw wrong(key, "The value must be an array of texts.");
                                    }
                                    texts.add(text);
                                }));
        return texts;
    }

    /// Returns a table, or empty if it is missing.
    Optional<Keys> table(String key) {
        return value(key, TomlTable.class, "a table")
                .map(found -> new Keys(file, key, position(key), found));
    }

    /// Returns the texts of a table by their names, in the file's order.
    Map<String, String> named(String key) {
        Map<String, String> all = new LinkedHashMap<>();
        table(key).ifPresent(keys -> keys.names().forEach(one -> all.put(one, keys.text(one))));
        return all;
    }

    private <T> Optional<T> value(String key, Class<T> type, String what) {
        @Nullable Object value = table.get(List.of(key));
        if (value != null && !type.isInstance(value)) {
            throw wrong(key, "The value must be " + what + ".");
        }
        return Optional.ofNullable(value).map(type::cast);
    }

    /// Returns a failure that names a missing key.
    BenchFailure missing(String key) {
        String where = name.isEmpty() ? "The file" : "The table " + name;
        return failure(file, start, where + " has no key " + key + ".");
    }

    /// Returns a failure at a key.
    BenchFailure wrong(String key, String sentence) {
        return failure(file, position(key), key + ": " + sentence);
    }

    private @Nullable TomlPosition position(String key) {
        return table.inputPositionOf(List.of(key));
    }

    private static BenchFailure failure(
            String file, @Nullable TomlPosition position, String sentence) {
        String place = position == null ? "" : ":" + position.line() + ":" + position.column();
        return new BenchFailure(file + place + ": " + sentence);
    }
}
