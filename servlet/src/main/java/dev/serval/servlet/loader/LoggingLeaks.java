package dev.serval.servlet.loader;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds handlers, filters and levels of an application in the JDK's logging, and removes them. If the root
/// logger has no handler after that, it gets those of the configuration again: applications such as Spring
/// Boot replace them, and the records of the other applications would be lost. The module java.logging may
/// be absent, so its classes are named.
final class LoggingLeaks {
    private static final String PACKAGE = "java.util.logging.";

    private final LeakSearch search;

    LoggingLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        boolean used = search.loader().hasUsed(PACKAGE + "Logger");
        if (!used && !search.loader().hasUsed(PACKAGE + "LogManager")) {
            return;
        }
        try {
            Class<?> managerType = Class.forName(PACKAGE + "LogManager", true, search.loader());
            Class<?> loggerType = Class.forName(PACKAGE + "Logger", true, search.loader());
            @Nullable Object manager = search.call(managerType, "getLogManager", null);
            for (Object name : names(managerType, manager)) {
                @Nullable Object logger =
                        managerType.getMethod("getLogger", String.class).invoke(manager, name);
                if (logger != null) {
                    find(loggerType, logger, name.toString());
                }
            }
            restoreRoot(managerType, loggerType, manager);
        } catch (ReflectiveOperationException e) {
            search.note("Not searched: java.util.logging, because " + e);
        }
    }

    private void restoreRoot(Class<?> managerType, Class<?> loggerType, @Nullable Object manager)
            throws ReflectiveOperationException {
        Object root = managerType.getMethod("getLogger", String.class).invoke(manager, "");
        if (root == null
                || !(loggerType.getMethod("getHandlers").invoke(root) instanceof Object[] present)
                || present.length > 0) {
            return;
        }
        Method property = managerType.getMethod("getProperty", String.class);
        if (property.invoke(manager, "handlers") instanceof String classes) {
            Class<?> handlerType = Class.forName(PACKAGE + "Handler");
            for (String name : classes.split("[\\s,]+", -1)) {
                if (!name.isEmpty()) {
                    Class<?> type = Class.forName(name, true, ClassLoader.getSystemClassLoader());
                    Object handler = type.getConstructor().newInstance();
                    loggerType.getMethod("addHandler", handlerType).invoke(root, handler);
                }
            }
        }
    }

    private List<?> names(Class<?> type, @Nullable Object manager) {
        return search.call(type, "getLoggerNames", manager) instanceof Enumeration<?> names
                ? Collections.list(names)
                : List.of();
    }

    private void find(Class<?> type, Object logger, String name) throws ClassNotFoundException {
        if (search.call(type, "getHandlers", logger) instanceof Object[] handlers) {
            for (Object handler : handlers) {
                if (search.belongs(handler)) {
                    remove(type, logger, "removeHandler", "Handler", handler);
                    add("handler " + handler.getClass().getName(), name);
                }
            }
        }
        for (String property : List.of("Filter", "Level")) {
            @Nullable Object value = search.call(type, "get" + property, logger);
            if (value != null && search.belongs(value)) {
                remove(type, logger, "set" + property, property, null);
                add(property + " " + value.getClass().getName(), name);
            }
        }
    }

    private void remove(
            Class<?> type, Object logger, String method, String parameter, @Nullable Object value)
            throws ClassNotFoundException {
        Class<?> parameterType = Class.forName(PACKAGE + parameter, false, search.loader());
        search.call(type, method, logger, parameterType, value);
    }

    private void add(String what, String logger) {
        search.add(
                Leak.Kind.LOGGING,
                "log " + what + " at the logger \"" + logger + "\"",
                "Remove it in ServletContextListener.contextDestroyed",
                true);
    }
}
