package dev.serval.jsp.expression;

import jakarta.servlet.ServletContext;
import jakarta.servlet.jsp.JspApplicationContext;
import org.apache.jasper.runtime.JspFactoryImpl;

/// Jasper's factory with the [PageExpressions] of each application. Any thread.
public final class PageFactory extends JspFactoryImpl {
    /// Creates a factory for all applications.
    public PageFactory() {}

    @Override
    public JspApplicationContext getJspApplicationContext(ServletContext application) {
        return PageExpressions.of(application);
    }
}
