package dev.serval.jsp;

import dev.serval.servlet.pages.AppPages;
import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.servlet.pages.PlainConfig;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pages of one application. Does not load Jasper: the servlets do, at their first request.
final class OpenPages implements AppPages {
    /// The attribute in which Jasper looks for what creates pages and tag handlers.
    static final String INSTANCES = "org.apache.tomcat.InstanceManager";

    /// The attribute in which Jasper looks for what finds tag libraries in jars.
    private static final String SCANNER = "org.apache.tomcat.JarScanner";

    private final PageSetup app;
    private final List<String> listeners;
    private final PageStore store;
    private final Compilations compilations;
    private final boolean precompiles;

    OpenPages(
            PageSetup app,
            List<String> listeners,
            PageStore store,
            Compilations compilations,
            boolean precompiles) {
        this.app = app;
        this.listeners = listeners;
        this.store = store;
        this.compilations = compilations;
        this.precompiles = precompiles;
    }

    @Override
    public List<String> listeners() {
        return listeners;
    }

    @Override
    public void beforeStart(ServletContext context) {
        LazyJspFactory.install();
        context.setAttribute(INSTANCES, new TagInstances(app));
        context.setAttribute(SCANNER, new AppJarScanner(app));
    }

    @Override
    public Servlet servlet() {
        return new PageServlet(this::runtime, "");
    }

    @Override
    public Servlet servlet(String path) {
        return new PageServlet(this::runtime, path);
    }

    private PageRuntime runtime(ServletConfig config, String folder) throws PageException {
        return PageRuntime.open(app, config, store.folder(folder + suffix(config)), compilations);
    }

    /// Returns the default encoding of pages if it is not the usual one. A folder keeps its compiled
    /// pages when its web.xml or the setting of the server changes.
    private static String suffix(ServletConfig config) {
        @Nullable String encoding = config.getServletContext().getResponseCharacterEncoding();
        if (encoding == null) {
            return "-none";
        }
        String name = encoding.toLowerCase(Locale.ROOT);
        return name.equals("utf-8") ? "" : "-" + name;
    }

    @Override
    public void started(ServletContext context) throws PageException {
        if (precompiles) {
            // With its parameters, because later requests use what is compiled here.
            @Nullable ServletRegistration servlet =
                    context.getServletRegistration(PageServlet.NAME);
            ServletConfig config =
                    new PlainConfig(
                            PageServlet.NAME,
                            context,
                            servlet == null ? Map.of() : servlet.getInitParameters());
            PageRuntime runtime = runtime(config, PageServlet.PAGES);
            try {
                Precompiler.compile(runtime, context, app);
            } finally {
                runtime.close();
            }
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
