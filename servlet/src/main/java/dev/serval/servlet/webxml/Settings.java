package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values by name, in the order of declaration. Owned by the thread that deploys.
public final class Settings<V> {
    private final Map<String, Setting<V>> byName = new LinkedHashMap<>();

    /// Adds a value unless the name has one.
    ///
    /// @return whether it was added
    public boolean add(String name, V value, Origin origin) {
        return byName.putIfAbsent(name, new Setting<>(value, origin)) == null;
    }

    /// Returns the setting of that name; null if there is none.
    @Nullable
    public Setting<V> get(String name) {
        return byName.get(name);
    }

    /// Returns the value of that name; null if there is none.
    @Nullable
    public V value(String name) {
        @Nullable Setting<V> setting = byName.get(name);
        return setting == null ? null : setting.value();
    }

    /// Returns all settings.
    public Map<String, Setting<V>> all() {
        return byName;
    }

    /// Copies all values to a map that has none of their names.
    public void copyTo(Map<String, V> target) {
        byName.forEach((name, setting) -> target.putIfAbsent(name, setting.value()));
    }

    /// Merges settings (Servlet 6.1 §8.2.3 rule 5): web.xml decides; two fragments may not differ
    /// if web.xml has no such name; annotations add only what no descriptor has.
    ///
    /// @param what the kind of setting for messages, for example `context-param`
    /// @throws DescriptorException if two fragments differ
    public static <V> Settings<V> merge(String what, Layers<Settings<V>> layers)
            throws DescriptorException {
        Settings<V> merged = new Settings<>();
        merged.byName.putAll(layers.web().byName);
        for (Settings<V> fragment : layers.fragments()) {
            for (Map.Entry<String, Setting<V>> entry : fragment.byName.entrySet()) {
                String name = entry.getKey();
                if (!layers.web().byName.containsKey(name)) {
                    merged.addEqual(what, name, entry.getValue());
                }
            }
        }
        for (Settings<V> annotated : layers.annotations()) {
            annotated.byName.forEach(merged.byName::putIfAbsent);
        }
        return merged;
    }

    private void addEqual(String what, String name, Setting<V> setting) throws DescriptorException {
        @Nullable Setting<V> other = byName.putIfAbsent(name, setting);
        if (other != null && !other.value().equals(setting.value())) {
            throw new DescriptorException(
                    setting.origin(),
                    ("The fragment declares %s%s otherwise than %s. "
                                    + "Declare it in web.xml, which decides.")
                            .formatted(
                                    what,
                                    name.isEmpty() ? "" : " \"" + name + "\"",
                                    other.origin()));
        }
    }
}
