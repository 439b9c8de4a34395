package dev.serval.servlet.loader;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds and removes shutdown hooks of an application. They are not run: their application has
/// stopped.
final class HookLeaks {
    private final LeakSearch search;

    HookLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        for (Thread hook : hooks()) {
            @Nullable String why = ThreadLeaks.why(hook, search);
            if (why != null) {
                search.add(
                        Leak.Kind.SHUTDOWN_HOOK,
                        "shutdown hook \"" + hook.getName() + "\" " + why,
                        "Use ServletContextListener.contextDestroyed, or call"
                                + " Runtime.removeShutdownHook there",
                        remove(hook));
            }
        }
    }

    private List<Thread> hooks() {
        List<Thread> hooks = new ArrayList<>();
        try {
            Class<?> type = Class.forName("java.lang.ApplicationShutdownHooks");
            if (search.read(type, "hooks", null) instanceof Map<?, ?> map) {
                synchronized (type) { // as the JDK does
                    for (Object hook : map.keySet()) {
                        hooks.add((Thread) hook);
                    }
                }
            }
        } catch (ClassNotFoundException e) {
            search.note("Not searched: shutdown hooks, because this JDK has no " + e.getMessage());
        }
        return hooks;
    }

    private boolean remove(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            search.note("Shutdown hooks were not removed, because the JVM is ending: " + e);
            return false;
        }
    }
}
