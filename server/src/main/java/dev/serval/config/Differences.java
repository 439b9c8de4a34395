package dev.serval.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What differs between two configurations. Stateless.
public final class Differences {
    /// The keys by which tables of one name are told apart.
    private static final Map<String, String> NAMES =
            Map.of("listener", "address", "mount", "at", "host", "name", "data-source", "name");

    /// One difference.
    ///
    /// @param kind `+` for what is new, `-` for what is gone, `~` for what has changed
    /// @param path of the key or table, such as `mount "/shop" folder`
    /// @param what the former and the new value; empty for a table
    /// @param restart whether it needs a restart
    public record Difference(char kind, String path, String what, boolean restart) {
        @Override
        public String toString() {
            return kind
                    + " "
                    + path
                    + (what.isEmpty() ? "" : ": " + what)
                    + (restart ? " (needs a restart)" : "");
        }
    }

    private Differences() {}

    /// Returns the differences, in the order of the table of keys.
    public static List<Difference> between(Values before, Values after) {
        List<Difference> found = new ArrayList<>();
        tables(before, after, "", found);
        return found;
    }

    private static void tables(Values before, Values after, String path, List<Difference> found) {
        for (Section section : before.section().sections()) {
            Map<String, Values> old = byName(section, before);
            Map<String, Values> now = byName(section, after);
            Set<String> names = new LinkedHashSet<>(old.keySet());
            names.addAll(now.keySet());
            for (String name : names) {
                String inner = path.isEmpty() ? name : path + " " + name;
                @Nullable Values was = old.get(name);
                @Nullable Values is = now.get(name);
                if (section.many() && (was == null || is == null)) {
                    boolean restart =
                            section.keys().stream().allMatch(key -> key.traits().restart());
                    found.add(new Difference(was == null ? '+' : '-', inner, "", restart));
                    continue;
                }
                Values first = was == null ? Values.empty(section) : was;
                Values second = is == null ? Values.empty(section) : is;
                keys(first, second, inner, found);
                tables(first, second, inner, found);
            }
        }
    }

    private static void keys(Values before, Values after, String path, List<Difference> found) {
        for (Key key : before.section().keys()) {
            String old = text(before, key);
            String now = text(after, key);
            if (!old.equals(now)) {
                String was = shown(before, key);
                String is = shown(after, key);
                String shown = was.equals(is) ? "changed" : was + " → " + is;
                found.add(
                        new Difference(
                                '~', path + " " + key.name(), shown, key.traits().restart()));
            }
        }
    }

    /// Returns the value as text; the value of a secret as it is, for comparison only.
    private static String text(Values values, Key key) {
        @Nullable Object value = value(values, key);
        return value == null ? "none" : Effective.shown(key, value);
    }

    private static String shown(Values values, Key key) {
        @Nullable Object value = value(values, key);
        return value == null ? "none" : Effective.shown(key, key.traits().secrecy().masked(value));
    }

    private static @Nullable Object value(Values values, Key key) {
        Values.@Nullable Value own = values.own().get(key.name());
        return own == null ? Defaults.of(key) : own.value();
    }

    private static Map<String, Values> byName(Section section, Values parent) {
        Map<String, Values> named = new LinkedHashMap<>();
        List<Values> all = parent.tables(section.name());
        @Nullable String key = NAMES.get(section.name());
        for (int i = 0; i < all.size(); i++) {
            String own =
                    !section.many()
                            ? ""
                            : " " + (key == null ? i + 1 : text(all.get(i), keyOf(section, key)));
            named.put(section.name() + own, all.get(i));
        }
        return named;
    }

    private static Key keyOf(Section section, String name) {
        @Nullable Key key = section.key(name);
        if (key == null) {
            throw new IllegalStateException("No key " + name + " in " + section.name());
        }
        return key;
    }
}
