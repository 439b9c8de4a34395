package dev.serval.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of a configuration before it is checked, with its place. Immutable.
public sealed interface Node {
    /// Returns where it is, such as `serval.toml:12:5`, or `/mount/0/at` in JSON.
    String where();

    /// A table.
    ///
    /// @param entries by key, in the order of the file
    /// @param written what the file says for keys with variables, by their keys
    record Table(String where, Map<String, Node> entries, Map<String, String> written)
            implements Node {
        /// Keeps a copy of the entries.
        public Table {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            written = Map.copyOf(written);
        }

        /// Creates a table without variables in its keys.
        public Table(String where, Map<String, Node> entries) {
            this(where, entries, Map.of());
        }

        /// Returns a key as the file says it.
        public String written(String key) {
            return written.getOrDefault(key, key);
        }

        /// Returns the entries by their keys as the file says them.
        Map<String, Node> byWritten() {
            Map<String, Node> all = new LinkedHashMap<>();
            entries.forEach((key, node) -> all.put(written(key), node));
            return all;
        }
    }

    /// An array.
    record Items(String where, List<Node> nodes) implements Node {
        /// Keeps a copy of the nodes.
        public Items {
            nodes = List.copyOf(nodes);
        }
    }

    /// A text, number, truth value or date.
    ///
    /// @param value what the file says, with its variables replaced
    /// @param written what the file says; a text has its variables
    record Scalar(String where, Object value, Object written) implements Node {
        /// Returns whether the text has variables of the environment.
        boolean substituted() {
            return !value.equals(written);
        }
    }
}
