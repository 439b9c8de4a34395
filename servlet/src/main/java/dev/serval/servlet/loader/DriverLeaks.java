package dev.serval.servlet.loader;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;

/// Deregisters JDBC drivers of an application. `DriverManager` shows and deregisters a driver only
/// for callers of the driver's class loader, so [DriverSweep] is defined in that loader.
final class DriverLeaks {
    private final LeakSearch search;

    DriverLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        // The first look at DriverManager loads all drivers, so only its users are looked at.
        if (search.usedByApp("java.sql.DriverManager") == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            for (String driver : sweep()) {
                if (search.loader().drivers().hasRegistered(driver)) {
                    continue; // the server has registered it, too
                }
                search.add(
                        Leak.Kind.JDBC_DRIVER,
                        "JDBC driver " + driver,
                        "Call DriverManager.deregisterDriver in"
                                + " ServletContextListener.contextDestroyed, or close the pool that"
                                + " registered it",
                        true);
            }
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            search.note("Not searched: JDBC drivers, because " + e);
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    private List<String> sweep() throws IOException, ReflectiveOperationException {
        String name = DriverSweep.class.getName();
        AppClassLoader loader = search.loader();
        Class<?> type;
        if (loader.hasUsed(name)) {
            type = Class.forName(name, true, loader);
        } else {
            type = loader.define(name, bytes());
        }
        Supplier<?> sweep = (Supplier<?>) type.getConstructor().newInstance();
        return sweep.get() instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static byte[] bytes() throws IOException {
        try (InputStream in = DriverSweep.class.getResourceAsStream("DriverSweep.class")) {
            if (in == null) {
                throw new IOException("DriverSweep.class is not in the server's jar");
            }
            return in.readAllBytes();
        }
    }
}
