package dev.serval.servlet.app;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.pages.AppPages;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The JSP pages of one application on its way to the start: maps them to a servlet of the engine,
/// or to one that says that there is no engine. Used by the thread that deploys, but for
/// [#servlet].
final class PageStart implements AutoCloseable {
    /// The class that applications name to set the parameters of the JSP engine.
    private static final String JASPER_SERVLET = "org.apache.jasper.servlet.JspServlet";

    private static final List<String> EXTENSIONS = List.of("*.jsp", "*.jspx");
    private static final Origin ORIGIN = Origin.code("Serval");

    private final @Nullable PageEngine engine;
    private final System.Logger log;
    private AppPages pages;

    PageStart(@Nullable PageEngine engine, System.Logger log) {
        this.engine = engine;
        this.log = log;
        this.pages = new UnopenedPages(log);
    }

    /// Opens the pages of an application that has files, and maps them.
    ///
    /// @throws DescriptorException if a tag library is wrong
    void open(AppDraft draft, PageSetup app) throws DescriptorException {
        if (engine != null) {
            try {
                pages = engine.open(app);
            } catch (PageException e) {
                throw wrong(e);
            }
        }
        map(draft);
    }

    /// Returns the patterns of pages: those of JSP property groups, and the two extensions
    /// (Pages 4.0 §3.3.1).
    static Set<String> patterns(JspDescription declared) {
        Set<String> patterns = new LinkedHashSet<>(EXTENSIONS);
        declared.groups().forEach(group -> patterns.addAll(group.urlPatterns()));
        return patterns;
    }

    /// A servlet mapping has precedence over the two extensions, also one that code adds later, but
    /// not over a property group with the same pattern (Pages 4.0 §3.3.1).
    private void map(AppDraft draft) {
        ServletDraft servlet = draft.servlet(JspDescription.SERVLET, ORIGIN);
        if (servlet.component() == null) {
            servlet.component(new Component.Instance(servlet()), ORIGIN);
        }
        for (ServletDraft each : draft.servlets()) {
            if (new Component.Named(JASPER_SERVLET).equals(each.component())) {
                each.component(new Component.Instance(servlet()), ORIGIN);
            }
        }
        for (JspDescription.PropertyGroup group : draft.jsp().groups()) {
            for (String pattern : group.urlPatterns()) {
                draft.unmap(pattern);
                @Nullable String _ = draft.map(pattern, servlet);
            }
        }
        for (String pattern : EXTENSIONS) {
            if (draft.servletOf(pattern) == null) {
                draft.lend(pattern, servlet);
            }
        }
    }

    private Servlet servlet() {
        return pages.servlet();
    }

    /// Returns a servlet that shows one page, for a servlet with a jsp-file. Any thread.
    Servlet servlet(String path) {
        return pages.servlet(path);
    }

    List<String> listeners() {
        return pages.listeners();
    }

    void beforeStart(ServletContext context) {
        pages.beforeStart(context);
    }

    /// Compiles the pages, if the engine does so now.
    ///
    /// @throws DescriptorException if one cannot be compiled
    void started(ServletContext context) throws DescriptorException {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            pages.started(context);
        } catch (PageException e) {
            throw wrong(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static DescriptorException wrong(PageException e) {
        return new DescriptorException(
                Origin.code("JSP"), e.getMessage() == null ? "" : e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            pages.close();
        } catch (RuntimeException e) {
            log.log(WARNING, "The JSP engine failed to close the pages of the application", e);
        }
    }
}
