package dev.serval.servlet.context;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.registration.ContextGate;
import dev.serval.servlet.registration.ContextState;
import dev.serval.servlet.registration.CookieSettings;
import dev.serval.servlet.registration.FilterRegistrations;
import dev.serval.servlet.registration.JspConfig;
import dev.serval.servlet.registration.ListenerKinds;
import dev.serval.servlet.registration.ListenerRegistrations;
import dev.serval.servlet.registration.Listeners;
import dev.serval.servlet.registration.ServletRegistrations;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The ServletContext of one application. It changes the draft of the application until the start
/// is complete, and refuses changes afterwards ([ContextState]).
///
/// The thread that deploys the application owns its configuration. From RUNNING on, any thread may
/// call any method.
public final class AppContext implements ServletContext {
    private static final int MAJOR_VERSION = 6;
    private static final int MINOR_VERSION = 1;

    private final ContextFacts facts;
    private final AppDraft draft;
    private final ComponentFactory components;
    private final Surroundings surroundings;
    private final ContextGate gate = new ContextGate();
    private final Listeners listeners;
    private final ContextAttributes attributes;
    private final ServletRegistrations servlets;
    private final FilterRegistrations filters;
    private final ListenerRegistrations listening;
    private final CookieSettings cookie;
    private final Set<Object> created =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /// Creates the context of an application in the state STARTING.
    ///
    /// @param draft what the application declares; code changes it until RUNNING
    /// @param components creates the instances that code asks for
    public AppContext(
            ContextFacts facts,
            AppDraft draft,
            ComponentFactory components,
            Surroundings surroundings) {
        this.facts = facts;
        this.draft = draft;
        this.components = components;
        this.surroundings = surroundings;
        listeners = new Listeners(this, new RestrictedContext(this));
        attributes = new ContextAttributes(listeners);
        servlets = new ServletRegistrations(draft, gate);
        filters = new FilterRegistrations(draft, gate);
        listening = new ListenerRegistrations(draft, gate, listeners, components);
        cookie = new CookieSettings(draft, gate);
        attributes.preset(TEMPDIR, facts.temporaryFolder().toFile());
        if (facts.orderedLibs() != null) {
            attributes.preset(ORDERED_LIBS, facts.orderedLibs());
        }
    }

    // For the container

    /// Returns how far the application has started.
    public ContextState state() {
        return gate.state();
    }

    /// Returns the listeners. The container notifies them of requests and sessions.
    public Listeners listeners() {
        return listeners;
    }

    /// Returns the security that code and annotations of its classes demand, by servlet.
    public Map<String, ServletSecurityElement> security() {
        return servlets.security();
    }

    /// Returns the roles that code declared.
    public Set<String> declaredRoles() {
        return servlets.roles();
    }

    /// Applies the annotations of the servlets that the container's own API has added. Call it
    /// once, before code of the application runs.
    public void annotateInstances() {
        servlets.annotateInstances();
    }

    /// Returns the application's log.
    public System.Logger logger() {
        return facts.log();
    }

    void moveTo(ContextState next) {
        gate.moveTo(next);
    }

    /// Returns whether the server created an instance that code then registered.
    boolean hasCreated(Object instance) {
        return created.contains(instance);
    }

    // The application and its surroundings

    /// Returns the context path percent-encoded, as all that is part of a URI. A request returns the
    /// same, however its client has encoded it.
    @Override
    public String getContextPath() {
        return facts.contextPath();
    }

    @Override
    public @Nullable ServletContext getContext(@Nullable String uripath) {
        return uripath == null || !uripath.startsWith("/")
                ? null
                : surroundings.contexts().forPath(uripath);
    }

    @Override
    public int getMajorVersion() {
        return MAJOR_VERSION;
    }

    @Override
    public int getMinorVersion() {
        return MINOR_VERSION;
    }

    @Override
    public int getEffectiveMajorVersion() {
        return draft.options().majorVersion();
    }

    @Override
    public int getEffectiveMinorVersion() {
        return draft.options().minorVersion();
    }

    @Override
    public @Nullable String getServletContextName() {
        String name = draft.options().displayName();
        return name.isEmpty() ? null : name;
    }

    @Override
    public String getServerInfo() {
        return facts.serverInfo();
    }

    @Override
    public String getVirtualServerName() {
        return facts.virtualServer();
    }

    @Override
    public ClassLoader getClassLoader() {
        return facts.loader();
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return JspConfig.of(draft.jsp());
    }

    @Override
    public void log(String msg) {
        facts.log().log(INFO, msg);
    }

    @Override
    public void log(String message, Throwable throwable) {
        facts.log().log(ERROR, message, throwable);
    }

    // Resources

    @Override
    public @Nullable String getMimeType(@Nullable String file) {
        if (file == null) {
            return null;
        }
        int dot = file.lastIndexOf('.');
        if (dot < 0 || dot < file.lastIndexOf('/')) {
            return null;
        }
        String extension = file.substring(dot + 1).toLowerCase(Locale.ROOT);
        @Nullable String declared = draft.mediaTypes().get(extension);
        return declared == null ? surroundings.mediaTypes().byExtension(extension) : declared;
    }

    @Override
    public @Nullable Set<String> getResourcePaths(@Nullable String path) {
        if (path == null) {
            return null;
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "The path \"" + path + "\" does not begin with a slash. Add it.");
        }
        @Nullable String canonical = ResourcePath.canonical(path);
        Set<String> below =
                canonical == null ? Set.of() : surroundings.resources().below(canonical);
        return below.isEmpty() ? null : below;
    }

    @Override
    public @Nullable URL getResource(@Nullable String path) throws MalformedURLException {
        if (path == null || !path.startsWith("/")) {
            throw new MalformedURLException(
                    "The path \"" + path + "\" does not begin with a slash. Add it.");
        }
        @Nullable String canonical = ResourcePath.canonical(path);
        return canonical == null ? null : surroundings.resources().url(canonical);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(@Nullable String path) {
        @Nullable String canonical =
                path == null || !path.startsWith("/") ? null : ResourcePath.canonical(path);
        return canonical == null ? null : surroundings.resources().open(canonical);
    }

    @Override
    public @Nullable String getRealPath(@Nullable String path) {
        if (path == null) {
            return null;
        }
        @Nullable String canonical =
                ResourcePath.canonical(path.startsWith("/") ? path : "/" + path);
        @Nullable Path real =
                canonical == null ? null : surroundings.resources().realPath(canonical);
        if (canonical == null || real == null) {
            return null;
        }
        // Applications append the name of a file to the path of a folder.
        String text = real.toString();
        boolean ends = text.endsWith(File.separator);
        return canonical.endsWith("/") && !ends ? text + File.separator : text;
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            return null;
        }
        int fragment = path.indexOf('#'); // only a client uses it (RFC 3986 §3.5)
        return surroundings
                .dispatchers()
                .forPath(fragment < 0 ? path : path.substring(0, fragment));
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(@Nullable String name) {
        return name == null ? null : surroundings.dispatchers().named(name);
    }

    // Parameters and attributes

    @Override
    public @Nullable String getInitParameter(String name) {
        return draft.contextParams().get(Objects.requireNonNull(name));
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(List.copyOf(draft.contextParams().keySet()));
    }

    @Override
    public boolean setInitParameter(String name, String value) {
        Objects.requireNonNull(name);
        gate.requireConfigurable("setInitParameter");
        return draft.contextParams().putIfAbsent(name, Objects.requireNonNull(value)) == null;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.value(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return attributes.names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object object) {
        attributes.set(Objects.requireNonNull(name), object);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }

    // Servlets

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String servletName, String className) {
        Component code = new Component.Named(className);
        @Nullable Class<?> annotated =
                gate.state().isConfigurable() ? classIfPresent(className) : null;
        return servlets.add("addServlet", servletName, code, annotated);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String servletName, Servlet servlet) {
        return servlets.add(
                "addServlet",
                servletName,
                new Component.Instance(Objects.requireNonNull(servlet)),
                hasCreated(servlet) ? servlet.getClass() : null);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(
            String servletName, Class<? extends Servlet> servletClass) {
        Component code = new Component.OfClass(Objects.requireNonNull(servletClass));
        return servlets.add("addServlet", servletName, code, servletClass);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addJspFile(
            String servletName, @Nullable String jspFile) {
        if (jspFile == null || !jspFile.startsWith("/")) {
            throw new IllegalArgumentException(
                    "The JSP file \"" + jspFile + "\" does not begin with a slash. Add it.");
        }
        return servlets.add("addJspFile", servletName, new Component.JspFile(jspFile), null);
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> clazz) throws ServletException {
        return create(clazz);
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(String servletName) {
        return servlets.find(servletName);
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return servlets.all();
    }

    // Filters

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String filterName, String className) {
        return filters.add(filterName, new Component.Named(className));
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String filterName, Filter filter) {
        return filters.add(filterName, new Component.Instance(Objects.requireNonNull(filter)));
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(
            String filterName, Class<? extends Filter> filterClass) {
        return filters.add(filterName, new Component.OfClass(Objects.requireNonNull(filterClass)));
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> clazz) throws ServletException {
        return create(clazz);
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(String filterName) {
        return filters.find(filterName);
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return filters.all();
    }

    // Listeners

    @Override
    public void addListener(String className) {
        listening.add(new Component.Named(Objects.requireNonNull(className)));
    }

    @Override
    public <T extends EventListener> void addListener(T t) {
        listening.add(t, hasCreated(t));
    }

    @Override
    public void addListener(Class<? extends EventListener> listenerClass) {
        listening.add(new Component.OfClass(Objects.requireNonNull(listenerClass)));
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> clazz) throws ServletException {
        if (!ListenerKinds.isListener(clazz)) {
            throw new IllegalArgumentException(
                    clazz.getName() + " implements no listener interface that can be added.");
        }
        return create(clazz);
    }

    // Sessions, roles and encodings

    @Override
    public SessionCookieConfig getSessionCookieConfig() {
        return cookie;
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> sessionTrackingModes) {
        gate.requireConfigurable("setSessionTrackingModes");
        boolean mixed =
                sessionTrackingModes.contains(SessionTrackingMode.SSL)
                        && sessionTrackingModes.size() > 1;
        if (mixed || !facts.tracking().containsAll(sessionTrackingModes)) {
            throw new IllegalArgumentException(
                    "Sessions cannot be tracked by "
                            + sessionTrackingModes
                            + ". This server supports "
                            + facts.tracking()
                            + ".");
        }
        Set<SessionTrackingMode> modes = draft.options().tracking();
        modes.clear();
        modes.addAll(sessionTrackingModes);
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return copy(facts.tracking());
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        Set<SessionTrackingMode> declared = draft.options().tracking();
        return copy(declared.isEmpty() ? facts.tracking() : declared);
    }

    @Override
    public int getSessionTimeout() {
        return draft.options().sessionTimeoutMinutes();
    }

    @Override
    public void setSessionTimeout(int sessionTimeout) {
        gate.requireConfigurable("setSessionTimeout");
        draft.options().sessionTimeoutMinutes(sessionTimeout);
    }

    @Override
    public void declareRoles(String... roleNames) {
        servlets.declareRoles(roleNames);
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return draft.options().requestEncoding();
    }

    @Override
    public void setRequestCharacterEncoding(@Nullable String encoding) {
        gate.requireConfigurable("setRequestCharacterEncoding");
        draft.options().requestEncoding(encoding);
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return draft.options().responseEncoding();
    }

    @Override
    public void setResponseCharacterEncoding(@Nullable String encoding) {
        gate.requireConfigurable("setResponseCharacterEncoding");
        draft.options().responseEncoding(encoding);
    }

    private <T> T create(Class<T> type) throws ServletException {
        try {
            T instance =
                    components.create(
                            type, Origin.code("create of " + type.getName() + " by code"));
            if (gate.state().isConfigurable()) {
                created.add(instance);
            }
            return instance;
        } catch (DescriptorException failed) {
            throw new ServletException(failed.getMessage(), failed);
        }
    }

    private @Nullable Class<?> classIfPresent(String className) {
        try {
            return Class.forName(className, false, facts.loader());
        } catch (ClassNotFoundException | LinkageError missing) {
            return null; // creating the servlet reports it
        }
    }

    private static Set<SessionTrackingMode> copy(Set<SessionTrackingMode> modes) {
        Set<SessionTrackingMode> copy = EnumSet.noneOf(SessionTrackingMode.class);
        copy.addAll(modes);
        return copy;
    }
}
