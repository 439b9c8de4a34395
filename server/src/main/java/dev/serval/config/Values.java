package dev.serval.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The checked values of one table, with defaults for the keys that it does not have. Immutable.
public final class Values {
    /// One value.
    ///
    /// @param value as the key's type says
    /// @param where its place
    public record Value(Object value, String where) {}

    private final Section section;
    private final String where;
    private final Map<String, Value> own;
    private final Map<String, List<Values>> tables;

    Values(
            Section section,
            String where,
            Map<String, Value> own,
            Map<String, List<Values>> tables) {
        this.section = section;
        this.where = where;
        this.own = new LinkedHashMap<>(own);
        this.tables = new LinkedHashMap<>(tables);
    }

    /// Returns these values with those of `base`, a table of the same keys, for the keys that are not
    /// given here. The defaults are those of `base`.
    public Values over(Values base) {
        Map<String, Value> all = new LinkedHashMap<>(base.own);
        all.putAll(own);
        return new Values(base.section, where.isEmpty() ? base.where : where, all, tables);
    }

    /// Returns a table without values of its own.
    public static Values empty(Section section) {
        return new Values(section, "", Map.of(), Map.of());
    }

    /// Returns the place of the table.
    public String where() {
        return where;
    }

    /// Returns the place of a key, or that of the table if the key is not given.
    public String where(String key) {
        @Nullable Value value = own.get(key);
        return value == null ? where : value.where;
    }

    /// Returns whether the table may have a key of that name.
    public boolean isKey(String key) {
        return section.key(key) != null;
    }

    /// Returns whether the table has the key.
    public boolean has(String key) {
        checked(key);
        return own.containsKey(key);
    }

    /// Returns the value of a key that has no default; null if it is not given.
    public @Nullable String textOrNull(String key) {
        @Nullable Object value = value(key);
        return value == null ? null : (String) value;
    }

    /// Returns a text that is given or has a default.
    public String text(String key) {
        return (String) present(key);
    }

    /// Returns a number, or a size in bytes.
    public long number(String key) {
        return (Long) present(key);
    }

    /// Returns a flag.
    public boolean flag(String key) {
        return (Boolean) present(key);
    }

    /// Returns a time.
    public Duration time(String key) {
        return (Duration) present(key);
    }

    /// Returns a list; empty if it is neither given nor has a default.
    @SuppressWarnings("unchecked") // the key's type makes it
    public List<String> texts(String key) {
        @Nullable Object value = value(key);
        return value == null ? List.of() : (List<String>) value;
    }

    /// Returns a table of texts; empty if it is neither given nor has a default.
    @SuppressWarnings("unchecked") // the key's type makes it
    public Map<String, String> names(String key) {
        @Nullable Object value = value(key);
        return value == null ? Map.of() : (Map<String, String>) value;
    }

    /// Returns a table of numbers; empty if it is neither given nor has a default.
    @SuppressWarnings("unchecked") // the key's type makes it
    public Map<String, Long> numbers(String key) {
        @Nullable Object value = value(key);
        return value == null ? Map.of() : (Map<String, Long>) value;
    }

    /// Returns a table within this one; one without values if it is not given.
    public Values table(String name) {
        List<Values> all = tables(name);
        if (!all.isEmpty()) {
            return all.getFirst();
        }
        @Nullable Section inner = section.section(name);
        if (inner == null) {
            throw new IllegalArgumentException("No table " + name + " in " + section.name());
        }
        return empty(inner);
    }

    /// Returns the tables of a name, in the order of the file.
    public List<Values> tables(String name) {
        return tables.getOrDefault(name, List.of());
    }

    /// Returns the keys that the table has.
    Map<String, Value> own() {
        return own;
    }

    Section section() {
        return section;
    }

    private Object present(String key) {
        @Nullable Object value = value(key);
        if (value == null) {
            throw new IllegalStateException("The key " + key + " has neither value nor default");
        }
        return value;
    }

    private @Nullable Object value(String key) {
        Key row = checked(key);
        @Nullable Value value = own.get(key);
        return value == null ? Defaults.of(row) : value.value;
    }

    private Key checked(String key) {
        @Nullable Key row = section.key(key);
        if (row == null) {
            throw new IllegalArgumentException("No key " + key + " in " + section.name());
        }
        return row;
    }
}
