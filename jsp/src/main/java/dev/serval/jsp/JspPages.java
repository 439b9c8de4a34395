package dev.serval.jsp;

import dev.serval.servlet.pages.AppPages;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.servlet.pages.SharedCode;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/// The JSP engine of a container. Any thread.
///
/// ```java
/// ServletContainer.builder().workFolder(folder).pages(new JspPages()).open();
/// ```
public final class JspPages implements PageEngine {
    private static final int COMPILATIONS_MAX = 4;

    private final boolean precompiles;
    private final PageLimits limits;
    private final Compilations compilations;

    /// Creates an engine that compiles each page at its first request.
    public JspPages() {
        this(false, System::nanoTime);
    }

    private JspPages(boolean precompiles, LongSupplier clock) {
        this.precompiles = precompiles;
        this.limits = PageLimits.DEFAULT;
        // A compilation keeps a processor busy and takes some 10 MB.
        int processors = Runtime.getRuntime().availableProcessors();
        Semaphore permits = new Semaphore(Math.min(COMPILATIONS_MAX, processors), true);
        this.compilations = new Compilations(permits, clock);
    }

    /// Returns an engine that compiles each page at its first request.
    ///
    /// @param clock nanoseconds, as of System.nanoTime
    static JspPages withClock(LongSupplier clock) {
        return new JspPages(false, clock);
    }

    /// Returns an engine that compiles all pages when an application is deployed. An application
    /// with a page that cannot be compiled is refused.
    public static JspPages precompiling() {
        return new JspPages(true, System::nanoTime);
    }

    @Override
    public SharedCode shared() {
        return new SharedCode(
                JspPages.class.getClassLoader(),
                // Compiled pages extend classes of org.apache.jasper.runtime.
                Set.of("jakarta.servlet.jsp", "jakarta.el", "org.apache.jasper.runtime"),
                Set.of(
                        "org.apache.tomcat.InstanceManager",
                        "org.apache.jasper.JasperException",
                        "org.apache.jasper.el.ELContextWrapper",
                        "org.apache.jasper.el.JspMethodExpression",
                        "org.apache.jasper.el.JspValueExpression",
                        // ExpressionFactory.newInstance() of applications finds it by the service.
                        "org.apache.el.ExpressionFactoryImpl"),
                Set.of("META-INF/services/jakarta.el.ExpressionFactory"));
    }

    @Override
    public AppPages open(PageSetup app) throws PageException {
        return new OpenPages(
                app,
                TagLibraries.listeners(app, limits),
                new PageStore(app, limits),
                compilations,
                precompiles);
    }
}
