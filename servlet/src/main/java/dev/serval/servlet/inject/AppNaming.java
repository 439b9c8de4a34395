package dev.serval.servlet.inject;

import java.net.URL;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.naming.Context;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;

/// The names of one application under `java:`. In a web application `java:module` is the same as
/// `java:comp` (Jakarta EE platform, chapter 5). Immutable.
public final class AppNaming {
    /// The class that JNDI loads from the class loader of an application, which must delegate it to
    /// the server.
    public static final String FACTORY_CLASS =
            "dev.serval.servlet.inject.java.javaURLContextFactory";

    /// The resource that the class loader of an application extends by [#jndiProperties].
    public static final String JNDI_PROPERTIES = "jndi.properties";

    static final String SCHEME = "java:";
    private static final String ENVIRONMENT = "comp/env/";

    private final Folder root;

    private AppNaming(Folder root) {
        this.root = root;
    }

    /// Creates the names of an application.
    ///
    /// @param moduleName the value of `java:module/ModuleName` and `java:app/AppName`
    /// @param values the values by name; a name without `java:` is relative to `java:comp/env`
    /// @throws IllegalArgumentException if a name is empty, or is a part of another one
    public static AppNaming of(String moduleName, Map<String, Object> values) {
        GrowingFolder tree = new GrowingFolder(new HashMap<>());
        GrowingFolder component = new GrowingFolder(new HashMap<>());
        component.names.put("env", new GrowingFolder(new HashMap<>()));
        tree.names.put("comp", component);
        tree.names.put("module", component);
        for (Map.Entry<String, Object> value : values.entrySet()) {
            bind(tree, value.getKey(), value.getValue());
        }
        bindUnlessBound(tree, "java:comp/ModuleName", moduleName);
        bindUnlessBound(tree, "java:app/AppName", moduleName);
        return new AppNaming(tree.freeze());
    }

    /// Returns the value of a name; null if it has none.
    ///
    /// @param name a name that begins with `java:`, or one relative to `java:comp/env`
    public @Nullable Object lookup(String name) {
        @Nullable Object found = root.find(segments(path(name)));
        return found instanceof Folder ? null : found;
    }

    /// Returns the JNDI context of all names, which resolves names with and without `java:`.
    @SuppressWarnings("JdkObsolete") // Context#getEnvironment
    public Context context(Map<?, ?> environment) {
        Hashtable<String, Object> copy = new Hashtable<>();
        environment.forEach((key, value) -> copy.put(key.toString(), value));
        return new NamingContext(root, "", copy);
    }

    /// Returns the file that makes JNDI find [#FACTORY_CLASS].
    public static URL jndiProperties() {
        return Objects.requireNonNull(AppNaming.class.getResource(JNDI_PROPERTIES));
    }

    /// Returns why code of applications cannot look up names by JNDI in this process; null if it
    /// can. Injection works in any case.
    public static @Nullable String obstacle() {
        return NamingManager.hasInitialContextFactoryBuilder()
                ? "This process has its own InitialContextFactoryBuilder, which receives every JNDI"
                        + " look-up. Applications cannot look up java:comp/env. @Resource works."
                : null;
    }

    /// Returns the one form of a name that has several: `java:comp/env/x` for `x`.
    static String canonical(String name) {
        return SCHEME + path(name);
    }

    private static String path(String name) {
        if (!name.startsWith(SCHEME)) {
            return ENVIRONMENT + name;
        }
        String path = name.substring(SCHEME.length());
        return path.startsWith("module/") ? "comp/" + path.substring(7) : path;
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    private static void bindUnlessBound(GrowingFolder tree, String name, String value) {
        if (tree.freeze().find(segments(path(name))) == null) {
            bind(tree, name, value);
        }
    }

    private static void bind(GrowingFolder tree, String name, Object value) {
        List<String> segments = segments(path(name));
        if (segments.contains("")) {
            throw new IllegalArgumentException(
                    "The name \"" + name + "\" has an empty part. Remove the extra slash.");
        }
        GrowingFolder folder = tree;
        for (String segment : segments.subList(0, segments.size() - 1)) {
            Object inner =
                    folder.names.computeIfAbsent(
                            segment, added -> new GrowingFolder(new HashMap<>()));
            if (!(inner instanceof GrowingFolder next)) {
                throw conflict(name);
            }
            folder = next;
        }
        if (folder.names.putIfAbsent(segments.getLast(), value) != null) {
            throw conflict(name);
        }
    }

    private static IllegalArgumentException conflict(String name) {
        return new IllegalArgumentException(
                "The name \""
                        + name
                        + "\" is bound twice, or is a part of another name. Rename it.");
    }

    /// Names at one level while they are collected.
    private record GrowingFolder(Map<String, Object> names) {
        Folder freeze() {
            Map<String, Object> frozen = new HashMap<>();
            names.forEach((name, value) ->
                    frozen.put(
                            name, value instanceof GrowingFolder folder ? folder.freeze() : value));
            return new Folder(Map.copyOf(frozen));
        }
    }

    /// Names at one level: a value or another folder for each. Immutable.
    record Folder(Map<String, Object> names) {
        /// Returns the value or folder at a path; null if there is none.
        @Nullable Object find(List<String> segments) {
            @Nullable Object found = this;
            for (String segment : segments) {
                if (!(found instanceof Folder folder)) {
                    return null;
                }
                found = folder.names.get(segment);
            }
            return found;
        }
    }
}
