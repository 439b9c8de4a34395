package dev.serval.servlet.context;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The context of a ServletContextListener that code added. It refuses to configure the application
/// (Servlet 6.1 §4.4), and delegates all other calls to the full context.
final class RestrictedContext implements ServletContext {
    private final ServletContext full;

    RestrictedContext(ServletContext full) {
        this.full = full;
    }

    // As in the full context

    @Override
    public String getContextPath() {
        return full.getContextPath();
    }

    @Override
    public @Nullable ServletContext getContext(String uripath) {
        return full.getContext(uripath);
    }

    @Override
    public int getMajorVersion() {
        return full.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return full.getMinorVersion();
    }

    @Override
    public int getEffectiveMajorVersion() {
        return full.getEffectiveMajorVersion();
    }

    @Override
    public int getEffectiveMinorVersion() {
        return full.getEffectiveMinorVersion();
    }

    @Override
    public @Nullable String getMimeType(String file) {
        return full.getMimeType(file);
    }

    @Override
    public @Nullable Set<String> getResourcePaths(String path) {
        return full.getResourcePaths(path);
    }

    @Override
    public @Nullable URL getResource(String path) throws MalformedURLException {
        return full.getResource(path);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
        return full.getResourceAsStream(path);
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        return full.getRequestDispatcher(path);
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(String name) {
        return full.getNamedDispatcher(name);
    }

    @Override
    public void log(String msg) {
        full.log(msg);
    }

    @Override
    public void log(String message, Throwable throwable) {
        full.log(message, throwable);
    }

    @Override
    public @Nullable String getRealPath(String path) {
        return full.getRealPath(path);
    }

    @Override
    public String getServerInfo() {
        return full.getServerInfo();
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return full.getInitParameter(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return full.getInitParameterNames();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return full.getAttribute(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return full.getAttributeNames();
    }

    @Override
    public void setAttribute(String name, @Nullable Object object) {
        full.setAttribute(name, object);
    }

    @Override
    public void removeAttribute(String name) {
        full.removeAttribute(name);
    }

    @Override
    public @Nullable String getServletContextName() {
        return full.getServletContextName();
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return full.getDefaultSessionTrackingModes();
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        return full.getEffectiveSessionTrackingModes();
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return full.getJspConfigDescriptor();
    }

    @Override
    public ClassLoader getClassLoader() {
        return full.getClassLoader();
    }

    @Override
    public String getVirtualServerName() {
        return full.getVirtualServerName();
    }

    @Override
    public int getSessionTimeout() {
        return full.getSessionTimeout();
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return full.getRequestCharacterEncoding();
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return full.getResponseCharacterEncoding();
    }

    // Refused

    @Override
    public boolean setInitParameter(String name, String value) {
        throw refused("setInitParameter");
    }

    @Override
    public ServletRegistration.Dynamic addServlet(String servletName, String className) {
        throw refused("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addServlet(String servletName, Servlet servlet) {
        throw refused("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addServlet(
            String servletName, Class<? extends Servlet> servletClass) {
        throw refused("addServlet");
    }

    @Override
    public ServletRegistration.Dynamic addJspFile(String servletName, String jspFile) {
        throw refused("addJspFile");
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> clazz) {
        throw refused("createServlet");
    }

    @Override
    public ServletRegistration getServletRegistration(String servletName) {
        throw refused("getServletRegistration");
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        throw refused("getServletRegistrations");
    }

    @Override
    public FilterRegistration.Dynamic addFilter(String filterName, String className) {
        throw refused("addFilter");
    }

    @Override
    public FilterRegistration.Dynamic addFilter(String filterName, Filter filter) {
        throw refused("addFilter");
    }

    @Override
    public FilterRegistration.Dynamic addFilter(
            String filterName, Class<? extends Filter> filterClass) {
        throw refused("addFilter");
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> clazz) {
        throw refused("createFilter");
    }

    @Override
    public FilterRegistration getFilterRegistration(String filterName) {
        throw refused("getFilterRegistration");
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        throw refused("getFilterRegistrations");
    }

    @Override
    public SessionCookieConfig getSessionCookieConfig() {
        throw refused("getSessionCookieConfig");
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> sessionTrackingModes) {
        throw refused("setSessionTrackingModes");
    }

    @Override
    public void addListener(String className) {
        throw refused("addListener");
    }

    @Override
    public <T extends EventListener> void addListener(T t) {
        throw refused("addListener");
    }

    @Override
    public void addListener(Class<? extends EventListener> listenerClass) {
        throw refused("addListener");
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> clazz) {
        throw refused("createListener");
    }

    @Override
    public void declareRoles(String... roleNames) {
        throw refused("declareRoles");
    }

    @Override
    public void setSessionTimeout(int sessionTimeout) {
        throw refused("setSessionTimeout");
    }

    @Override
    public void setRequestCharacterEncoding(String encoding) {
        throw refused("setRequestCharacterEncoding");
    }

    @Override
    public void setResponseCharacterEncoding(String encoding) {
        throw refused("setResponseCharacterEncoding");
    }

    private static UnsupportedOperationException refused(String method) {
        return new UnsupportedOperationException(
                method
                        + " was called by a ServletContextListener that code added. Declare the"
                        + " listener in web.xml or by @WebListener.");
    }
}
