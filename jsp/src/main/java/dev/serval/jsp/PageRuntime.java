package dev.serval.jsp;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.jsp.expression.PageExpressions;
import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.servlet.pages.PlainConfig;
import jakarta.el.ELManager;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.jasper.EmbeddedServletOptions;
import org.apache.jasper.compiler.JspRuntimeContext;
import org.apache.jasper.compiler.TldCache;
import org.apache.jasper.servlet.JspServletWrapper;
import org.apache.jasper.servlet.TldScanner;
import org.apache.juli.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;

/// Jasper for one servlet: its options, tag libraries and pages. Any thread.
final class PageRuntime {
    private static final String JAVA_RELEASE = "25";
    private static final int STATUS_BUSY = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    private static final int RETRY_SECONDS = 5;

    private final ServletConfig config;
    private final PageOptions options;
    private final JspRuntimeContext jasper;
    private final Compilations compilations;
    private final System.Logger log;
    private final Map<String, Page> pages = new ConcurrentHashMap<>(); // one for each file at most

    private PageRuntime(
            ServletConfig config,
            PageOptions options,
            JspRuntimeContext jasper,
            Compilations compilations,
            System.Logger log) {
        this.config = config;
        this.options = options;
        this.jasper = jasper;
        this.compilations = compilations;
        this.log = log;
    }

    /// Starts Jasper and reads the tag libraries. The context class loader of the calling thread is
    /// that of the application.
    ///
    /// @param config of the servlet, which pages see
    /// @param folder for compiled pages
    /// @throws PageException if a tag library is wrong
    static PageRuntime open(
            PageSetup app, ServletConfig config, Path folder, Compilations compilations)
            throws PageException {
        prepare();
        ServletContext context = config.getServletContext();
        PageExpressions.of(context);
        PlainConfig full =
                new PlainConfig(config.getServletName(), context, parameters(app, config, folder));
        EmbeddedServletOptions standard = new EmbeddedServletOptions(full, context);
        standard.setTldCache(libraries(context));
        PageOptions options = new PageOptions(standard, new PageEncodings(context));
        JspRuntimeContext jasper = new JspRuntimeContext(context, options);
        return new PageRuntime(config, options, jasper, compilations, app.log());
    }

    /// Lets the classes that keep something for the whole JVM find it in the server. They look with
    /// the context class loader, and would keep an application's otherwise.
    private static void prepare() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(PageRuntime.class.getClassLoader());
        try {
            Object _ = LogFactory.getFactory();
            Object _ = ELManager.getExpressionFactory();
            LazyJspFactory.replace();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Map<String, String> parameters(
            PageSetup app, ServletConfig config, Path folder) {
        String development = Boolean.toString(app.development());
        Map<String, String> parameters = new HashMap<>();
        parameters.put("development", development);
        // The generated Java source has the lines that errors are shown with.
        parameters.put("keepgenerated", development);
        parameters.put("displaySourceFragment", development);
        // Within an interval, Jasper takes a tag file that could not be compiled for one that was,
        // and keeps the fault for ever. Without, it checks a page once more at its first request.
        parameters.put("modificationTestInterval", "0");
        parameters.put("recompileOnFail", development);
        // One call for each piece of text, not for each line.
        parameters.put("mappedfile", development);
        parameters.put("compilerSourceVM", JAVA_RELEASE);
        parameters.put("compilerTargetVM", JAVA_RELEASE);
        parameters.put("compilerClassName", PageCompiler.class.getName());
        parameters.put("classpath", "");
        for (String name : Collections.list(config.getInitParameterNames())) {
            parameters.put(name, config.getInitParameter(name));
        }
        parameters.put("scratchdir", folder.toString());
        return parameters;
    }

    private static TldCache libraries(ServletContext context) throws PageException {
        TldScanner scanner =
                new TldScanner(
                        context,
                        /* namespaceAware= */ true,
                        /* validation= */ false,
                        /* blockExternal= */ true);
        try {
            scanner.scan();
        } catch (IOException | SAXException e) {
            throw new PageException("A tag library descriptor cannot be read: " + e, e);
        }
        return new TldCache(
                context,
                scanner.getUriTldResourcePathMap(),
                scanner.getTldResourcePathTaglibXmlMap());
    }

    /// Compiles a page and calls its `jspInit` before its first request. If that fails, each request
    /// tries again, and gets the fault.
    void begin(String path) {
        try {
            @Nullable Page page = page(path);
            if (page != null && page.compileInTurn()) {
                page.begin();
            }
        } catch (ServletException | IOException e) {
            log.log(
                    WARNING,
                    "The page of the servlet \""
                            + config.getServletName()
                            + "\" cannot be shown: "
                            + PageFaults.text(path, e));
        }
    }

    /// Shows a page.
    void service(String path, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        boolean only =
                PrecompileParameter.isSet(
                        request.getQueryString(), options.getJspPrecompilationQueryParameter());
        @Nullable Page page = page(path);
        if (page == null) {
            missing(path, request, response);
            return;
        }
        try {
            if (!page.isReady() && !page.compileInTurn()) {
                response.setIntHeader("Retry-After", RETRY_SECONDS);
                response.sendError(STATUS_BUSY, "Too many pages are being compiled.");
                return;
            }
            page.service(request, response, only);
        } catch (FileNotFoundException e) {
            if (page(path) != null) {
                throw e; // a file that the page needs
            }
            missing(path, request, response);
        } catch (ServletException e) {
            throw options.getDevelopment()
                    ? PageFaults.withExcerpt(e, config.getServletContext())
                    : e;
        }
    }

    /// Compiles a page that was not compiled, and waits as long as necessary for its turn.
    ///
    /// @throws ServletException if the page is wrong
    void compile(String path) throws ServletException, IOException {
        @Nullable Page page = page(path);
        if (page != null) {
            page.compile();
        }
    }

    private @Nullable Page page(String path) throws IOException {
        @Nullable Page known = pages.get(path);
        if (known != null && !known.isOf(jasper.getWrapper(path))) {
            // Jasper has dropped it: beyond maxLoadedJsps, or as its file was away for a moment.
            pages.remove(path, known);
            known = null;
        }
        if (known != null && (!options.getDevelopment() || exists(path))) {
            return known;
        }
        if (!exists(path)) {
            pages.remove(path);
            return null;
        }
        return pages.computeIfAbsent(path, this::open);
    }

    private Page open(String path) {
        JspServletWrapper wrapper = new JspServletWrapper(config, options, path, jasper);
        jasper.addWrapper(path, wrapper);
        return new Page(wrapper, options.getDevelopment(), compilations);
    }

    /// Returns whether a page is a file. The URL of a folder would give the names of its files.
    private boolean exists(String path) throws IOException {
        @Nullable URL url =
                path.startsWith("/") ? config.getServletContext().getResource(path) : null;
        if (url == null || !"file".equals(url.getProtocol())) {
            return false;
        }
        try {
            URI place = url.toURI();
            return Files.isRegularFile(Path.of(place));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static void missing(
            String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null) {
            throw new FileNotFoundException("The application has no page " + path);
        }
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }

    /// Calls `jspDestroy` of the pages.
    void close() {
        jasper.destroy();
        pages.clear();
    }
}
