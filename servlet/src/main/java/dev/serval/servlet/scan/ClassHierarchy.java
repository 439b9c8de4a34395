package dev.serval.servlet.scan;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Answers which classes of an application extend, implement or bear given types, as
/// `@HandlesTypes` asks (Servlet 6.1 §8.2.4). Types between, outside the application, are found
/// through [Outside]. Owned by the thread that deploys.
public final class ClassHierarchy {
    /// Finds class files that the application sees but does not contain: those of the JDK and of
    /// the container's API.
    @FunctionalInterface
    public interface Outside {
        /// Returns the bytes of a class file; null if there is none.
        ///
        /// @param path with slashes: `jakarta/servlet/Servlet.class`
        byte @Nullable [] classFile(String path) throws IOException;
    }

    private static final int OUTSIDE_MAX_CLASSES = 100_000;

    private final Map<String, ClassFacts> classes = new LinkedHashMap<>();
    private final Map<String, List<String>> subtypes = new HashMap<>();
    private final Map<String, List<String>> annotated = new HashMap<>();
    private final Set<String> linkedOutside = new HashSet<>();
    private final Outside outside;

    /// Creates the hierarchy.
    ///
    /// @param results in the order in which the application's class loader looks, as the first of
    ///     two classes with one name counts
    /// @param outside finds the other classes
    public ClassHierarchy(List<ScanResult> results, Outside outside) {
        this.outside = outside;
        for (ScanResult result : results) {
            for (ClassFacts facts : result.classes()) {
                if (classes.putIfAbsent(facts.name(), facts) == null) {
                    link(facts);
                    for (String type : facts.annotationTypes()) {
                        annotated.computeIfAbsent(type, t -> new ArrayList<>()).add(facts.name());
                    }
                }
            }
        }
    }

    /// Returns the facts of a class of the application; null if it has no such class.
    public @Nullable ClassFacts facts(String className) {
        return classes.get(className);
    }

    /// Returns the application's classes, by name in alphabetical order, that extend or implement
    /// one of the types, or bear one as annotation on the class, a method or a field. The types
    /// themselves are not among them.
    ///
    /// @throws IOException if a class outside the application cannot be read
    public Set<String> handled(Set<String> types) throws IOException {
        linkOutside(types);
        Set<String> found = new TreeSet<>();
        Set<String> visited = new HashSet<>(types);
        Deque<String> open = new ArrayDeque<>(types);
        while (!open.isEmpty()) {
            for (String subtype : subtypes.getOrDefault(open.remove(), List.of())) {
                if (visited.add(subtype)) {
                    open.add(subtype);
                    if (classes.containsKey(subtype)) {
                        found.add(subtype);
                    }
                }
            }
        }
        for (String type : types) {
            found.addAll(annotated.getOrDefault(type, List.of()));
        }
        found.removeAll(types);
        return found;
    }

    /// Adds the links between types outside, upwards from those that the application extends. The
    /// JDK's types lead only to types of the JDK, so that they are read only if one is asked for.
    private void linkOutside(Set<String> types) throws IOException {
        boolean jdkToo = types.stream().anyMatch(type -> type.startsWith("java."));
        Deque<String> open = new ArrayDeque<>(subtypes.keySet());
        while (!open.isEmpty()) {
            String name = open.remove();
            if (classes.containsKey(name)
                    || (!jdkToo && name.startsWith("java."))
                    || linkedOutside.size() >= OUTSIDE_MAX_CLASSES
                    || !linkedOutside.add(name)) {
                continue;
            }
            @Nullable ClassFacts facts = outsideFacts(name);
            if (facts != null) {
                link(facts);
                if (facts.superName() != null) {
                    open.add(facts.superName());
                }
                open.addAll(facts.interfaces());
            }
        }
    }

    private @Nullable ClassFacts outsideFacts(String name) throws IOException {
        byte @Nullable [] bytes = outside.classFile(name.replace('.', '/') + ".class");
        if (bytes == null) {
            return null;
        }
        try {
            return ClassParser.parse(bytes);
        } catch (IllegalArgumentException broken) {
            // A missing or broken optional class must not keep the others out (§8.2.4).
            return null;
        }
    }

    private void link(ClassFacts facts) {
        @Nullable String superName = facts.superName();
        if (superName != null && !superName.equals("java.lang.Object")) {
            subtypes.computeIfAbsent(superName, type -> new ArrayList<>()).add(facts.name());
        }
        for (String type : facts.interfaces()) {
            subtypes.computeIfAbsent(type, t -> new ArrayList<>()).add(facts.name());
        }
    }
}
