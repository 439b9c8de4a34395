package dev.serval.servlet.loader;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collects the leaks of one application, and knows what belongs to it. Owned by the thread that
/// undeploys.
final class LeakSearch {
    private final AppClassLoader loader;
    private final List<AppClassLoader> others;
    private final List<Leak> leaks = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    LeakSearch(AppClassLoader loader, List<AppClassLoader> others) {
        this.loader = loader;
        this.others = List.copyOf(others);
    }

    AppClassLoader loader() {
        return loader;
    }

    /// Returns the loaders of applications that continue.
    List<AppClassLoader> others() {
        return others;
    }

    /// Returns whether a loader is the application's or has it as an ancestor, as loaders of
    /// compiled pages have.
    boolean belongs(@Nullable ClassLoader other) {
        for (ClassLoader at = other; at != null; at = at.getParent()) {
            if (at == loader) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether an object is of a class of the application, or is such a class or loader.
    boolean belongs(@Nullable Object object) {
        return switch (object) {
            case null -> false;
            case ClassLoader other -> belongs(other) || belongs(other.getClass().getClassLoader());
            case Class<?> type -> belongs(type.getClassLoader());
            default -> belongs(object.getClass().getClassLoader());
        };
    }

    void add(Leak.Kind kind, String detail, String remedy, boolean undone) {
        leaks.add(new Leak(kind, detail, remedy, undone));
    }

    void note(String note) {
        notes.add(note);
    }

    LeakReport report() {
        return new LeakReport(leaks, List.copyOf(notes));
    }

    /// Reads a private field of the JDK. Adds a note if java.lang is not open, or if this JDK has
    /// no such field.
    ///
    /// @param object null for a static field
    @Nullable Object read(Class<?> type, String field, @Nullable Object object) {
        try {
            Field found = type.getDeclaredField(field);
            found.setAccessible(true);
            return found.get(object);
        } catch (InaccessibleObjectException e) {
            note(
                    "Not searched: "
                            + type.getName()
                            + ". Start java with --add-opens java.base/java.lang=ALL-UNNAMED (or"
                            + " =dev.serval.servlet on the module path) to find what applications"
                            + " leave there");
        } catch (ReflectiveOperationException e) {
            note(
                    "Not searched: "
                            + type.getName()
                            + ", because this JDK has no field "
                            + field
                            + " in it: "
                            + e);
        }
        return null;
    }

    /// Calls a public method of the JDK that is named, because its module may be absent.
    @Nullable Object call(Class<?> type, String method, @Nullable Object object) {
        try {
            Method found = type.getMethod(method);
            return found.invoke(object);
        } catch (ReflectiveOperationException e) {
            note("Not searched: " + type.getName() + ", because " + method + " failed: " + e);
            return null;
        }
    }

    /// Calls a public method of the JDK with one argument; adds a note if it failed.
    void call(
            Class<?> type,
            String method,
            @Nullable Object object,
            Class<?> parameter,
            @Nullable Object argument) {
        try {
            type.getMethod(method, parameter).invoke(object, argument);
        } catch (ReflectiveOperationException e) {
            note("Not removed: " + type.getName() + "." + method + " failed: " + e);
        }
    }

    /// Returns a class of the JDK if the application has used it; null otherwise, or if this JDK
    /// does not have it.
    @Nullable Class<?> usedByApp(String name) {
        try {
            return loader.hasUsed(name) ? Class.forName(name, false, loader) : null;
        } catch (ClassNotFoundException e) {
            note("Not searched: " + e.getMessage());
            return null;
        }
    }
}
