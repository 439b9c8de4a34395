package dev.serval.servlet.request;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import dev.serval.servlet.cookie.RequestCookies;
import dev.serval.servlet.parameter.AcceptLanguage;
import dev.serval.servlet.parameter.Parameters;
import dev.serval.servlet.session.SessionUrl;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConnection;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The request as the application sees it. Owned as its exchange.
public final class AppRequest implements HttpServletRequest {
    private final ServletExchange exchange;
    private RequestHead head; // replaced if a saved request continues
    private final ConnectionFacts facts;
    private final int stream; // 0 over HTTP/1.1
    private Cookie @Nullable [] cookies;
    private List<Locale> locales = List.of(); // empty until they are asked for

    AppRequest(ServletExchange exchange) {
        this.exchange = exchange;
        this.head = exchange.engine().request();
        this.facts = exchange.engine().connection();
        this.stream = exchange.engine().stream();
    }

    // For the container

    /// Returns the exchange that this request belongs to.
    public ServletExchange exchange() {
        return exchange;
    }

    /// Replaces the request by one that was saved, or by the same one with its content in memory.
    ///
    /// @param saved the head, which the caller must not change any more
    /// @param content replaces the content; the caller must not change it any more
    public void replace(RequestHead saved, byte[] content) {
        head = saved;
        exchange.content(new RequestContent(exchange, saved, new ByteArrayInputStream(content)));
    }

    /// Returns whether the application has read of the content, or may have.
    public boolean hasUsedContent() {
        return exchange.content().isUsed();
    }

    /// Returns the head of the request.
    public RequestHead head() {
        return head;
    }

    Cookie[] cookies() {
        if (cookies == null) {
            cookies = own(RequestCookies.parse(head.fields()).cookies());
        }
        return cookies;
    }

    /// Returns the host and port that the client named.
    public String authority() {
        return facts.authority(head);
    }

    /// Returns an absolute URL for a redirect. A relative one refers to the URL that the client asked
    /// for, because the client would resolve it in this way (RFC 9110 §10.2.2).
    String absolute(String location) {
        String origin = own(RequestTarget.origin(head, facts));
        return AbsoluteUrl.of(location, origin, exchange.reached().requestUri());
    }

    /// Returns the URL that the client asked for, which relative URLs of the response refer to.
    SessionUrl.RequestUrl sentUrl() {
        View sent = exchange.reached();
        return new SessionUrl.RequestUrl(
                getScheme(), getServerName(), getServerPort(), sent.requestUri(), sent.query());
    }

    private <T extends @Nullable Object> T own(T value) {
        return exchange.lifetime().own(value);
    }

    private View view() {
        exchange.lifetime().check();
        return exchange.view();
    }

    // Attributes

    @Override
    public @Nullable Object getAttribute(String name) {
        exchange.lifetime().check();
        return RequestAttributes.get(exchange, name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        exchange.lifetime().check();
        return RequestAttributes.names(exchange);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        exchange.lifetime().check();
        RequestAttributes.set(exchange, name, value);
    }

    @Override
    public void removeAttribute(String name) {
        exchange.lifetime().check();
        RequestAttributes.remove(exchange, name);
    }

    // Fields

    @Override
    public @Nullable String getHeader(String name) {
        return own(head.fields().first(name));
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return own(Collections.enumeration(head.fields().all(name)));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return own(Collections.enumeration(FieldViews.names(head.fields())));
    }

    @Override
    public int getIntHeader(String name) {
        @Nullable String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    @Override
    public long getDateHeader(String name) {
        @Nullable String value = getHeader(name);
        return value == null ? -1 : FieldViews.millis(name, value);
    }

    @Override
    public Cookie @Nullable [] getCookies() {
        Cookie[] all = cookies();
        return all.length == 0 ? null : all.clone();
    }

    // Target

    @Override
    public String getMethod() {
        // The page of an error, and all that it dispatches to, is asked for by GET; ERROR_METHOD
        // has the method (§10.9.1).
        return own(exchange.isErrorPage() ? "GET" : head.methodText());
    }

    @Override
    public String getRequestURI() {
        return view().requestUri();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(own(RequestTarget.origin(head, facts))).append(getRequestURI());
    }

    @Override
    public String getContextPath() {
        return view().app().context().getContextPath();
    }

    @Override
    public String getServletPath() {
        return view().servletPath();
    }

    @Override
    public @Nullable String getPathInfo() {
        return view().pathInfo();
    }

    @Override
    public @Nullable String getPathTranslated() {
        @Nullable String info = getPathInfo();
        return info == null ? null : getServletContext().getRealPath(info);
    }

    @Override
    public @Nullable String getQueryString() {
        return view().query();
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return view().mapping();
    }

    @Override
    public DispatcherType getDispatcherType() {
        return view().type();
    }

    @Override
    public ServletContext getServletContext() {
        return view().app().context();
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        View view = view();
        return path == null ? null : view.dispatcher(path);
    }

    // Connection

    @Override
    public String getProtocol() {
        return own(head.version().text());
    }

    @Override
    public String getScheme() {
        return facts.secure() ? "https" : "http";
    }

    @Override
    public boolean isSecure() {
        return facts.secure();
    }

    @Override
    public String getServerName() {
        return own(RequestTarget.host(head, facts));
    }

    @Override
    public int getServerPort() {
        return own(RequestTarget.port(head, facts));
    }

    @Override
    public String getRemoteAddr() {
        return own(RequestTarget.address(facts.peer()));
    }

    /// Returns the address, because a look-up of its name would wait for other servers.
    @Override
    public String getRemoteHost() {
        return getRemoteAddr();
    }

    @Override
    public int getRemotePort() {
        return own(RequestTarget.port(facts.peer()));
    }

    @Override
    public String getLocalName() {
        return getLocalAddr();
    }

    @Override
    public String getLocalAddr() {
        return own(RequestTarget.address(facts.local()));
    }

    @Override
    public int getLocalPort() {
        return own(RequestTarget.port(facts.local()));
    }

    @Override
    public String getRequestId() {
        return exchange.id();
    }

    @Override
    public String getProtocolRequestId() {
        return own(stream == 0 ? "" : String.valueOf(stream)); // HTTP/1.1 has none
    }

    @Override
    public ServletConnection getServletConnection() {
        return new RequestConnection(
                own(String.valueOf(facts.id())), stream != 0, facts.direct().secure());
    }

    // Content

    @Override
    public @Nullable String getCharacterEncoding() {
        return own(exchange.content().encoding());
    }

    @Override
    public void setCharacterEncoding(@Nullable String name) throws UnsupportedEncodingException {
        exchange.lifetime().check();
        exchange.content().encoding(name);
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        try {
            setCharacterEncoding(charset == null ? null : charset.name());
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("The JDK has the charset " + charset, e);
        }
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        return own(
                head.fields().contains(FieldName.CONTENT_LENGTH)
                        ? head.contentLength()
                        : RequestHead.UNKNOWN_LENGTH);
    }

    @Override
    public @Nullable String getContentType() {
        return own(head.fields().first(FieldName.CONTENT_TYPE));
    }

    @Override
    public ServletInputStream getInputStream() {
        exchange.lifetime().check();
        return exchange.content().stream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        exchange.lifetime().check();
        return exchange.content().reader();
    }

    @Override
    public @Nullable String getParameter(@Nullable String name) {
        exchange.lifetime().check();
        Parameters all = exchange.content().parameters();
        return own(name == null ? null : all.first(name));
    }

    @Override
    public Enumeration<String> getParameterNames() {
        exchange.lifetime().check();
        return own(Collections.enumeration(exchange.content().parameters().names()));
    }

    @Override
    public String @Nullable [] getParameterValues(@Nullable String name) {
        exchange.lifetime().check();
        Parameters all = exchange.content().parameters();
        return own(name == null ? null : all.all(name));
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        exchange.lifetime().check();
        return own(exchange.content().parameters().map());
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        exchange.lifetime().check();
        return exchange.content().parts().parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        exchange.lifetime().check();
        return exchange.content().parts().part(name);
    }

    @Override
    public boolean isTrailerFieldsReady() {
        exchange.lifetime().check();
        // Any content over HTTP/2 may have trailers (RFC 9113 §8.1), over HTTP/1.1 only chunks.
        boolean mayCome =
                stream == 0
                        ? head.fields().contains(FieldName.TRANSFER_ENCODING)
                        : head.contentLength() != 0;
        return !mayCome || exchange.content().isFinished();
    }

    @Override
    public Map<String, String> getTrailerFields() {
        if (!isTrailerFieldsReady()) {
            throw new IllegalStateException(
                    "The trailers follow the content: read the content to its end first");
        }
        return Collections.unmodifiableMap(FieldViews.trailers(exchange.content().trailers()));
    }

    // Locales

    @Override
    public Locale getLocale() {
        return known().getFirst();
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return Collections.enumeration(known());
    }

    private List<Locale> known() {
        if (locales.isEmpty()) {
            List<Locale> accepted = own(AcceptLanguage.locales(head.fields()));
            locales = accepted.isEmpty() ? List.of(Locale.getDefault()) : accepted;
        }
        return locales;
    }

    // Sessions

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        exchange.lifetime().check();
        return exchange.sessions().session(create);
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }

    @Override
    public String changeSessionId() {
        exchange.lifetime().check();
        return exchange.sessions().changeId();
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        exchange.lifetime().check();
        return exchange.sessions().requestedId();
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        exchange.lifetime().check();
        return exchange.sessions().isRequestedIdValid();
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        exchange.lifetime().check();
        return exchange.sessions().isFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        exchange.lifetime().check();
        return exchange.sessions().isFromUrl();
    }

    // Users

    @Override
    public @Nullable String getAuthType() {
        return identity().scheme();
    }

    @Override
    public @Nullable String getRemoteUser() {
        @Nullable Principal user = getUserPrincipal();
        return user == null ? null : user.getName();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return identity().principal();
    }

    @Override
    public boolean isUserInRole(@Nullable String role) {
        Identity user = identity();
        return role != null && exchange.home().guard().isInRole(exchange, user, role);
    }

    private Identity identity() {
        exchange.lifetime().check();
        return exchange.identity();
    }

    @Override
    public boolean authenticate(HttpServletResponse response) throws ServletException, IOException {
        return !identity().isAnonymous()
                || exchange.home().guard().authenticate(exchange, response);
    }

    @Override
    public void login(@Nullable String user, @Nullable String password) throws ServletException {
        exchange.lifetime().check();
        exchange.home().guard().login(exchange, user, password);
    }

    @Override
    public void logout() {
        exchange.lifetime().check();
        exchange.home().guard().logout(exchange);
    }

    // Asynchronous processing and upgrade

    @Override
    public AsyncContext startAsync() {
        exchange.lifetime().check();
        return exchange.async().start(this, exchange.response(), false);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        exchange.lifetime().check();
        return exchange.async().start(request, response, true);
    }

    @Override
    public boolean isAsyncStarted() {
        return exchange.isAsyncStarted();
    }

    @Override
    public boolean isAsyncSupported() {
        return exchange.isAsyncSupported();
    }

    @Override
    public AsyncContext getAsyncContext() {
        return exchange.async().context();
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws ServletException {
        exchange.lifetime().check();
        exchange.requireUpgradable();
        T handler = exchange.view().app().create(type);
        exchange.async().upgrade(handler);
        return handler;
    }
}
