package dev.serval.jsp.expression;

import jakarta.el.ELResolver;
import jakarta.el.ExpressionFactory;
import jakarta.servlet.ServletContext;
import jakarta.servlet.jsp.JspContext;
import java.util.ArrayList;
import java.util.List;
import org.apache.jasper.el.ELContextImpl;
import org.apache.jasper.runtime.JspApplicationContextImpl;
import org.jspecify.annotations.Nullable;

/// Evaluates the expressions of one application's pages by a [PageResolver] in place of Jasper's
/// resolver, and parses each text once. Jasper finds it in an attribute of the application. Any
/// thread; resolvers and listeners are added before the first page runs.
public final class PageExpressions extends JspApplicationContextImpl {
    private static final String ATTRIBUTE = JspApplicationContextImpl.class.getName();

    private final List<ELResolver> added = new ArrayList<>();
    private final ExpressionFactory expressions =
            new ParsedExpressions(super.getExpressionFactory());
    private final PageImports.Unknown unknown = new PageImports.Unknown();
    private volatile @Nullable PageResolver resolver;

    private PageExpressions() {}

    /// Returns that of an application.
    public static JspApplicationContextImpl of(ServletContext application) {
        // For each expression of a page, so without a lock.
        if (application.getAttribute(ATTRIBUTE) instanceof JspApplicationContextImpl known) {
            return known;
        }
        return created(application);
    }

    private static JspApplicationContextImpl created(ServletContext application) {
        synchronized (PageExpressions.class) {
            if (application.getAttribute(ATTRIBUTE) instanceof JspApplicationContextImpl known) {
                return known;
            }
            PageExpressions created = new PageExpressions();
            application.setAttribute(ATTRIBUTE, created);
            return created;
        }
    }

    @Override
    public void addELResolver(ELResolver one) {
        if (resolver != null) {
            throw new IllegalStateException(
                    "An EL resolver can be added only before the first page runs (Pages 4.0 §2.10).");
        }
        if (one == null) {
            throw new IllegalArgumentException("The EL resolver must not be null.");
        }
        added.add(one);
    }

    @Override
    public ELContextImpl createELContext(JspContext page) {
        if (page == null) {
            throw new IllegalArgumentException("The JspContext must not be null.");
        }
        ELContextImpl el = new PageElContext(resolver(), unknown);
        el.putContext(JspContext.class, page);
        fireListeners(el);
        return el;
    }

    @Override
    public ExpressionFactory getExpressionFactory() {
        return expressions;
    }

    private ELResolver resolver() {
        @Nullable PageResolver known = resolver;
        if (known == null) {
            known = new PageResolver(added, getExpressionFactory().getStreamELResolver());
            resolver = known;
        }
        return known;
    }
}
