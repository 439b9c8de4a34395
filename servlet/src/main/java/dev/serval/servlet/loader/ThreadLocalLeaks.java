package dev.serval.servlet.loader;

import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds values of an application in thread locals. Those of the current thread are removed. Maps
/// of other threads are only read, because they are not made for two threads.
final class ThreadLocalLeaks {
    private static final System.Logger LOG = System.getLogger(ThreadLocalLeaks.class.getName());

    /// Elements of a collection that are looked at.
    private static final int ELEMENTS_MAX = 100;

    private static final int DEPTH_MAX = 2;

    private final LeakSearch search;

    ThreadLocalLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            find(thread, "threadLocals");
            find(thread, "inheritableThreadLocals");
        }
    }

    private void find(Thread thread, String field) {
        @Nullable Object map = search.read(Thread.class, field, thread);
        @Nullable Object table = map == null ? null : search.read(map.getClass(), "table", map);
        if (table == null) {
            return;
        }
        for (int i = 0; i < Array.getLength(table); i++) {
            if (Array.get(table, i) instanceof Reference<?> entry) {
                @Nullable Object value = search.read(entry.getClass(), "value", entry);
                check(thread, entry.get(), value);
            }
        }
    }

    private void check(Thread thread, @Nullable Object key, @Nullable Object value) {
        @Nullable Object found = search.belongs(key) ? key : ofApp(value, 0);
        if (found == null) {
            return;
        }
        boolean own = thread.equals(Thread.currentThread()) && key instanceof ThreadLocal<?>;
        if (own && key instanceof ThreadLocal<?> local) {
            local.remove();
        }
        String variable =
                key == null ? "a thread local" : "the thread local of " + key.getClass().getName();
        search.add(
                Leak.Kind.THREAD_LOCAL,
                variable + " in the thread \"" + thread.getName() + "\" holds " + name(found),
                "Call ThreadLocal.remove() when the request or task ends",
                own);
    }

    private static String name(Object found) {
        return switch (found) {
            case Class<?> type -> "the class " + type.getName();
            case ClassLoader loader -> "the class loader " + loader;
            default -> "an object of " + found.getClass().getName();
        };
    }

    /// Returns the object itself, or an element of it, if it belongs to the application.
    private @Nullable Object ofApp(@Nullable Object value, int depth) {
        if (value == null || depth > DEPTH_MAX) {
            return null;
        }
        if (search.belongs(value)) {
            return value;
        }
        // Only classes of the JDK are asked for elements: others could do anything when asked.
        if (value.getClass().getClassLoader() != null) {
            return null;
        }
        return switch (value) {
            case Reference<?> reference -> ofApp(reference.get(), depth + 1);
            case Optional<?> optional -> ofApp(optional.orElse(null), depth + 1);
            case Object[] array -> ofElements(Arrays.asList(array).iterator(), depth);
            case Collection<?> elements -> ofElements(elements.iterator(), depth);
            case Map<?, ?> map -> {
                @Nullable Object key = ofElements(map.keySet().iterator(), depth);
                yield key != null ? key : ofElements(map.values().iterator(), depth);
            }
            default -> null;
        };
    }

    private @Nullable Object ofElements(Iterator<?> elements, int depth) {
        try {
            for (int i = 0; i < ELEMENTS_MAX && elements.hasNext(); i++) {
                @Nullable Object found = ofApp(elements.next(), depth + 1);
                if (found != null) {
                    return found;
                }
            }
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "A value of another thread changed while it was searched", e);
        }
        return null;
    }
}
