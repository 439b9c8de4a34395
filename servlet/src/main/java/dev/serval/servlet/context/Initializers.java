package dev.serval.servlet.context;

import static java.lang.System.Logger.Level.INFO;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Finds and calls the ServletContainerInitializers of an application (Servlet 6.1 §8.2.4). Owned
/// by the thread that starts the application.
public final class Initializers {
    private static final String SERVICE =
            "META-INF/services/" + ServletContainerInitializer.class.getName();

    /// The limit of one file that names initializers.
    private static final int SERVICE_FILE_MAX_BYTES = 64 * 1024;

    private final List<Class<? extends ServletContainerInitializer>> shared;
    private final List<Path> sources;
    private final HandledTypes types;
    private final ComponentFactory components;
    private final ClassLoader loader;
    private final System.Logger log;

    /// Creates the initializers of an application.
    ///
    /// @param shared those of the container, which are called first
    /// @param sources the folder of classes and the jars of the application in the order of their
    ///     fragments, without excluded ones
    /// @param types finds the classes that initializers ask for
    /// @param loader the application's class loader
    /// @param log the application's log
    public Initializers(
            List<Class<? extends ServletContainerInitializer>> shared,
            List<Path> sources,
            HandledTypes types,
            ComponentFactory components,
            ClassLoader loader,
            System.Logger log) {
        this.shared = List.copyOf(shared);
        this.sources = List.copyOf(sources);
        this.types = types;
        this.components = components;
        this.loader = loader;
        this.log = log;
    }

    /// Calls all initializers in order, each class once.
    ///
    /// @throws DescriptorException if one cannot be found, read or created, or throws
    void run(ServletContext context) throws DescriptorException {
        Map<String, Found> all = new LinkedHashMap<>();
        for (Class<? extends ServletContainerInitializer> type : shared) {
            Origin origin = Origin.code("initializer of the server");
            all.put(type.getName(), new Found(new Component.OfClass(type), origin));
        }
        for (Path source : sources) {
            for (Map.Entry<String, Origin> named : named(source).entrySet()) {
                Component code = new Component.Named(named.getKey());
                all.putIfAbsent(named.getKey(), new Found(code, named.getValue()));
            }
        }
        for (Found found : all.values()) {
            call(found, context);
        }
    }

    private record Found(Component code, Origin origin) {}

    private void call(Found found, ServletContext context) throws DescriptorException {
        ServletContainerInitializer initializer =
                components.create(found.code(), ServletContainerInitializer.class, found.origin());
        @Nullable Set<Class<?>> handled = handled(initializer.getClass());
        try {
            start(initializer, handled, context);
        } catch (Throwable thrown) {
            throw new DescriptorException(
                    found.origin(),
                    "The initializer "
                            + found.code().text()
                            + " failed in onStartup: "
                            + thrown
                            + ". Correct it or its surroundings.",
                    thrown);
        } finally {
            components.destroy(initializer);
        }
    }

    @SuppressWarnings("NullAway") // null means no classes, by contract of the interface
    private static void start(
            ServletContainerInitializer initializer,
            @Nullable Set<Class<?>> handled,
            ServletContext context)
            throws Exception {
        initializer.onStartup(handled, context);
    }

    /// Returns the classes that an initializer asks for; null if it asks for none or none is found.
    private @Nullable Set<Class<?>> handled(Class<?> initializer) {
        Class<?>[] asked = asked(initializer);
        if (asked.length == 0) {
            return null;
        }
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (String name : types.classesFor(asked)) {
            try {
                classes.add(Class.forName(name, false, loader));
            } catch (ClassNotFoundException | LinkageError missing) {
                log.log(
                        INFO,
                        "The class "
                                + name
                                + " is not given to "
                                + initializer.getName()
                                + ", because it cannot be loaded: "
                                + missing
                                + ". Add the missing class if the application needs it.");
            }
        }
        return classes.isEmpty() ? null : classes;
    }

    private Class<?>[] asked(Class<?> initializer) {
        try {
            @Nullable HandlesTypes handles = initializer.getAnnotation(HandlesTypes.class);
            return handles == null ? new Class<?>[0] : handles.value();
        } catch (ArrayStoreException | TypeNotPresentException | LinkageError missing) {
            log.log(
                    INFO,
                    "@HandlesTypes of "
                            + initializer.getName()
                            + " names a class that is missing, so it gets no classes: "
                            + missing);
            return new Class<?>[0];
        }
    }

    /// Returns the classes that a folder or jar names, with the lines that name them.
    private static Map<String, Origin> named(Path source) throws DescriptorException {
        try {
            if (Files.isDirectory(source)) {
                Path file = source.resolve(SERVICE);
                return Files.isRegularFile(file)
                        ? parse(Files.newInputStream(file), file.toString())
                        : Map.of();
            }
            try (ZipFile jar = new ZipFile(source.toFile())) {
                @Nullable ZipEntry entry = jar.getEntry(SERVICE);
                return entry == null
                        ? Map.of()
                        : parse(jar.getInputStream(entry), source.getFileName() + "!/" + SERVICE);
            }
        } catch (IOException unreadable) {
            throw new DescriptorException(
                    Origin.code(source.toString()),
                    "The initializers cannot be read: " + unreadable + ". Replace the file.",
                    unreadable);
        }
    }

    private static Map<String, Origin> parse(InputStream opened, String where)
            throws IOException, DescriptorException {
        byte[] bytes;
        try (opened) {
            bytes = opened.readNBytes(SERVICE_FILE_MAX_BYTES + 1);
        }
        if (bytes.length > SERVICE_FILE_MAX_BYTES) {
            throw new DescriptorException(
                    Origin.code(where),
                    "The file is longer than " + SERVICE_FILE_MAX_BYTES + " bytes. Shorten it.");
        }
        Map<String, Origin> names = new LinkedHashMap<>();
        List<String> lines =
                new ArrayList<>(new String(bytes, StandardCharsets.UTF_8).lines().toList());
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!name.isEmpty()) {
                names.putIfAbsent(name, new Origin(where, at + 1, 0));
            }
        }
        return names;
    }
}
