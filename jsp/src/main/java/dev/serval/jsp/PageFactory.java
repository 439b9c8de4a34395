package dev.serval.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.jsp.JspApplicationContext;
import org.apache.jasper.runtime.JspFactoryImpl;

/// Jasper's factory with the [PageExpressions] of each application. Any thread.
final class PageFactory extends JspFactoryImpl {
    PageFactory() {}

    @Override
    public JspApplicationContext getJspApplicationContext(ServletContext application) {
        return PageExpressions.of(application);
    }
}
