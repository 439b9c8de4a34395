package dev.serval.bench.container;

import dev.serval.bench.war.Burn;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// What the `web.xml` of an exploded WAR declares, for containers that do not read it if they are
/// embedded: servlets, filters for requests, listeners, and pages for statuses. Without a file that is
/// `metadata-complete`, the WAR has the suite's own servlets, which have annotations.
///
/// JSP pages need the jars of Jasper on the class path. Without them there are none. As "Jasper 2
/// JSP Engine How To" advises for production, pages are compiled once and not checked again.
///
/// @param loader of the application's classes and libraries
/// @param errorPages paths of pages by status
record DeclaredApp(
        ClassLoader loader,
        List<Part<Servlet>> servlets,
        List<Part<Filter>> filters,
        List<Class<? extends EventListener>> listeners,
        Map<Integer, String> errorPages) {
    private static final String PAGES = "org.apache.jasper.servlet.JspServlet";
    private static final String PAGES_START = "org.apache.jasper.servlet.JasperInitializer";

    /// The parameters of the servlet for JSP.
    static final Map<String, String> PAGES_PARAMETERS = Map.of("development", "false");

    /// A servlet or a filter.
    ///
    /// @param patterns of the URLs that reach it
    record Part<T>(String name, Class<? extends T> type, List<String> patterns, boolean async) {
        /// Returns the parameters by which a container initialises the servlet.
        Map<String, String> parameters() {
            return type.getName().equals(PAGES) ? PAGES_PARAMETERS : Map.of();
        }
    }

    /// Reads an application.
    ///
    /// @param folder the exploded WAR
    static DeclaredApp of(Path folder) throws IOException, ClassNotFoundException {
        Path descriptor = folder.resolve("WEB-INF/web.xml");
        @Nullable Element root = Files.exists(descriptor) ? parsed(descriptor) : null;
        ClassLoader loader = loader(folder);
        List<Part<Servlet>> servlets = new ArrayList<>();
        if (hasPages()) {
            Class<? extends Servlet> pages =
                    Class.forName(PAGES, false, loader).asSubclass(Servlet.class);
            servlets.add(new Part<>("jsp", pages, List.of("*.jsp"), false));
        }
        if (root == null || !root.getAttribute("metadata-complete").equals("true")) {
            servlets.addAll(mapped(loader));
            return new DeclaredApp(loader, servlets, List.of(), List.of(), Map.of());
        }
        servlets.addAll(parts(root, "servlet", Servlet.class, loader));
        List<Class<? extends EventListener>> listeners = new ArrayList<>();
        for (String listener : texts(root, "listener-class")) {
            listeners.add(Class.forName(listener, false, loader).asSubclass(EventListener.class));
        }
        return new DeclaredApp(
                loader,
                servlets,
                parts(root, "filter", Filter.class, loader),
                listeners,
                errorPages(root));
    }

    /// Returns whether Jasper is on the class path.
    static boolean hasPages() {
        try {
            Class.forName(PAGES, false, DeclaredApp.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /// Returns what prepares Jasper for an application with pages; null if there are none.
    @Nullable Class<? extends ServletContainerInitializer> pagesStart()
            throws ClassNotFoundException {
        return servlets.stream().anyMatch(each -> each.type.getName().equals(PAGES))
                ? Class.forName(PAGES_START, false, loader)
                        .asSubclass(ServletContainerInitializer.class)
                : null;
    }

    private static List<Part<Servlet>> mapped(ClassLoader loader)
            throws IOException, ClassNotFoundException {
        List<Part<Servlet>> all = new ArrayList<>();
        for (Mapped each : Mapped.all(loader)) {
            String name = each.type().getSimpleName();
            all.add(new Part<>(name, each.type(), List.of(each.pattern()), each.async()));
        }
        return all;
    }

    /// Loads the application's own classes from its folder, though the suite has them too, because only
    /// there they find the libraries of the application.
    private static final class AppLoader extends URLClassLoader {
        private static final String OWN = Burn.class.getPackageName() + ".";

        static {
            registerAsParallelCapable();
        }

        AppLoader(URL[] path) {
            super(path, DeclaredApp.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OWN)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                @Nullable Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                try {
                    return findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, resolve);
                }
            }
        }
    }

    /// The folder itself is on the path as well, because Grizzly looks for an application's files
    /// there.
    private static ClassLoader loader(Path folder) throws IOException {
        List<URL> path = new ArrayList<>();
        path.add(folder.resolve("WEB-INF/classes").toUri().toURL());
        Path libraries = folder.resolve("WEB-INF/lib");
        if (Files.isDirectory(libraries)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(libraries, "*.jar")) {
                for (Path jar : jars) {
                    path.add(jar.toUri().toURL());
                }
            }
        }
        path.add(folder.toUri().toURL());
        return new AppLoader(path.toArray(URL[]::new));
    }

    private static Element parsed(Path descriptor) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(descriptor.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("Cannot read " + descriptor, e);
        }
    }

    /// Returns the servlets or filters, with the patterns of their mappings.
    ///
    /// @param kind the name of their elements
    private static <T> List<Part<T>> parts(
            Element root, String kind, Class<T> type, ClassLoader loader)
            throws ClassNotFoundException {
        Map<String, List<String>> patterns = new LinkedHashMap<>();
        for (Element mapping : elements(root, kind + "-mapping")) {
            patterns.computeIfAbsent(text(mapping, kind + "-name"), _ -> new ArrayList<>())
                    .addAll(texts(mapping, "url-pattern"));
        }
        List<Part<T>> parts = new ArrayList<>();
        for (Element each : elements(root, kind)) {
            String name = text(each, kind + "-name");
            Class<? extends T> declared =
                    Class.forName(text(each, kind + "-class"), false, loader).asSubclass(type);
            boolean async = texts(each, "async-supported").contains("true");
            parts.add(new Part<>(name, declared, patterns.getOrDefault(name, List.of()), async));
        }
        return parts;
    }

    private static Map<Integer, String> errorPages(Element root) {
        Map<Integer, String> pages = new LinkedHashMap<>();
        for (Element page : elements(root, "error-page")) {
            for (String status : texts(page, "error-code")) {
                pages.put(Integer.valueOf(status), text(page, "location"));
            }
        }
        return pages;
    }

    private static List<Element> elements(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList all = parent.getElementsByTagName(name);
        for (int i = 0; i < all.getLength(); i++) {
            if (all.item(i) instanceof Element element) {
                found.add(element);
            }
        }
        return found;
    }

    private static List<String> texts(Element parent, String name) {
        return elements(parent, name).stream()
                .map(element -> element.getTextContent().strip())
                .toList();
    }

    private static String text(Element parent, String name) {
        return texts(parent, name).getFirst();
    }
}
