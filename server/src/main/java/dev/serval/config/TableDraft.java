package dev.serval.config;

import java.util.LinkedHashMap;
import java.util.Map;

/// A table while its entries are read, from a file or from JSON. Its keys may have variables. Used by one
/// thread.
public final class TableDraft {
    private final String where;
    private final Variables variables;
    private final Mistakes mistakes;
    private final Map<String, Node> entries = new LinkedHashMap<>();
    private final Map<String, String> written = new LinkedHashMap<>();

    /// Creates a table without entries.
    public TableDraft(String where, Map<String, String> environment, Mistakes mistakes) {
        this(where, new Variables(environment), mistakes);
    }

    TableDraft(String where, Variables variables, Mistakes mistakes) {
        this.where = where;
        this.variables = variables;
        this.mistakes = mistakes;
    }

    /// Returns a key with its variables replaced.
    ///
    /// @param at the place of the key
    public String replaced(String key, String at) {
        return variables.replace(key, at, mistakes);
    }

    /// Adds an entry.
    ///
    /// @param key as it is written
    /// @param at the place of the key
    public void add(String key, String at, Node node) {
        String replaced = replaced(key, at);
        if (entries.put(replaced, node) != null) {
            mistakes.add(
                    at,
                    "The key \""
                            + key
                            + "\" is \""
                            + replaced
                            + "\", which another key of this table is, too: remove one.");
        }
        if (!replaced.equals(key)) {
            written.put(replaced, key);
        }
    }

    /// Returns the table.
    public Node.Table table() {
        return new Node.Table(where, entries, written);
    }
}
