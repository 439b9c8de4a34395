package dev.serval.jsp;

import dev.serval.jsp.expression.PageFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.jsp.JspApplicationContext;
import jakarta.servlet.jsp.JspEngineInfo;
import jakarta.servlet.jsp.JspFactory;
import jakarta.servlet.jsp.PageContext;

/// Stands for Jasper's factory until code uses it, so that applications without pages start without
/// Jasper. Listeners use it to add EL resolvers (Pages 4.0 §2.10). Any thread.
final class LazyJspFactory extends JspFactory {
    /// Created, with Jasper's classes, by the first use.
    private static final class Jasper {
        static final JspFactory FACTORY = new PageFactory();
    }

    private LazyJspFactory() {}

    /// Makes a factory available to the code of applications. The API keeps it for the whole JVM.
    static void install() {
        if (JspFactory.getDefaultFactory() == null) {
            JspFactory.setDefaultFactory(new LazyJspFactory());
        }
    }

    /// Makes Jasper's factory available, which pages use without a detour.
    static void replace() {
        if (JspFactory.getDefaultFactory() instanceof LazyJspFactory) {
            JspFactory.setDefaultFactory(Jasper.FACTORY);
        }
    }

    @Override
    public PageContext getPageContext(
            Servlet servlet,
            ServletRequest request,
            ServletResponse response,
            String errorPageUrl,
            boolean needsSession,
            int buffer,
            boolean autoflush) {
        return Jasper.FACTORY.getPageContext(
                servlet, request, response, errorPageUrl, needsSession, buffer, autoflush);
    }

    @Override
    public void releasePageContext(PageContext page) {
        Jasper.FACTORY.releasePageContext(page);
    }

    @Override
    public JspEngineInfo getEngineInfo() {
        return Jasper.FACTORY.getEngineInfo();
    }

    @Override
    public JspApplicationContext getJspApplicationContext(ServletContext context) {
        return Jasper.FACTORY.getJspApplicationContext(context);
    }
}
