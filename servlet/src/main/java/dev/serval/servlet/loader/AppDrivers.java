package dev.serval.servlet.loader;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Registers the JDBC drivers of an application when its code first uses `DriverManager`. The JDK looks
/// for drivers once in the life of the JVM. So it would find those of the first application that uses
/// it, and not those of the others, nor of the version that replaces the first one. Any thread.
final class AppDrivers {
    /// The class whose first use by the application calls [#register].
    static final String MANAGER = "java.sql.DriverManager";

    private static final System.Logger LOG = System.getLogger(AppDrivers.class.getName());
    private static final String SERVICE = "META-INF/services/java.sql.Driver";
    private static final int SERVICE_FILE_MAX_BYTES = 64 * 1024;

    private final AtomicBoolean begun = new AtomicBoolean();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    /// Initialises the drivers that the application's files name, which register themselves. Does so once.
    /// No other thread waits for that: it may hold what a driver needs.
    void register(AppClassLoader loader) {
        if (begun.getAndSet(true)) {
            return;
        }
        for (String name : names(loader)) {
            try {
                registered.add(name);
                Class<?> _ = Class.forName(name, true, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                registered.remove(name); // the application may not need it
                LOG.log(Level.DEBUG, "A JDBC driver of an application cannot be registered", e);
            }
        }
    }

    /// Returns whether the driver is one that the server has registered.
    boolean hasRegistered(String driver) {
        return registered.contains(driver);
    }

    private static List<String> names(AppClassLoader loader) {
        List<String> names = new ArrayList<>();
        try {
            for (URL file : Collections.list(loader.findResources(SERVICE))) {
                addNames(file, names);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The JDBC drivers of an application cannot be read", e);
        }
        return names;
    }

    private static void addNames(URL file, List<String> names) throws IOException {
        byte[] bytes;
        try (InputStream in = file.openStream()) {
            bytes = in.readNBytes(SERVICE_FILE_MAX_BYTES);
        }
        new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
    }
}
