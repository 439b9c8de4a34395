package dev.serval.servlet.app;

import dev.serval.servlet.context.AppContext;
import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.request.AppScope;
import dev.serval.servlet.request.AttributeEvents;
import dev.serval.servlet.request.ContentReading;
import dev.serval.servlet.request.PlainHeads;
import dev.serval.servlet.security.AppGuard;
import dev.serval.servlet.session.SessionCookie;
import dev.serval.servlet.session.SessionTracking;
import dev.serval.servlet.session.SessionUrl;
import dev.serval.servlet.session.Sessions;
import jakarta.servlet.ServletException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A running application as its requests see it. Immutable, but for the number of requests in it.
/// Compared by identity, because requests look up their session by it. Any thread.
final class DeployedScope implements AppScope {
    private static final String JAPANESE = "Shift_JIS"; // what the TCK expects

    private final AppContext context;
    private final AppDescription app;
    private final ComponentFactory components;
    private final Sessions sessions;
    private final SessionTracking tracking;
    private final SessionCookie cookie;
    private final SessionUrl url;
    private final ListenerEvents events;
    private final ContentReading reading;
    private final AppGuard guard;
    private final PlainHeads plainHeads = new PlainHeads();
    private final AtomicInteger inside = new AtomicInteger(); // requests in the application

    DeployedScope(
            AppContext context,
            AppDescription app,
            ComponentFactory components,
            Sessions sessions,
            ContentReading reading,
            AppGuard guard) {
        this.context = context;
        this.app = app;
        this.components = components;
        this.sessions = sessions;
        this.reading = reading;
        this.guard = guard;
        this.tracking = SessionTracking.of(app.session());
        this.cookie = SessionCookie.of(app.session().cookie(), context.getContextPath());
        this.url = new SessionUrl(cookie.name(), context.getContextPath());
        this.events = new ListenerEvents(context.listeners());
    }

    @Override
    public AppContext context() {
        return context;
    }

    @Override
    public PlainHeads plainHeads() {
        return plainHeads;
    }

    @Override
    public Sessions sessions() {
        return sessions;
    }

    /// Returns the number of requests in the application, also of those that another application has
    /// dispatched to it.
    int inside() {
        return inside.get();
    }

    @Override
    public void enter() {
        inside.incrementAndGet();
    }

    @Override
    public void leave() {
        inside.decrementAndGet();
    }

    @Override
    public SessionTracking tracking() {
        return tracking;
    }

    @Override
    public SessionCookie sessionCookie() {
        return cookie;
    }

    @Override
    public SessionUrl sessionUrl() {
        return url;
    }

    /// Returns the charset of the language with its country, then of the language alone. The usual
    /// one of a language counts only if there is no default for all responses: a form of a page in
    /// another charset than UTF-8 could not be read.
    @Override
    public @Nullable String charsetOf(Locale locale) {
        @Nullable String exact = app.encodings().ofLocales().get(locale.toString());
        if (exact == null) {
            exact = app.encodings().ofLocales().get(locale.getLanguage());
        }
        boolean usual = exact == null && context.getResponseCharacterEncoding() == null;
        return usual && locale.getLanguage().equals("ja") ? JAPANESE : exact;
    }

    @Override
    public AttributeEvents attributeEvents() {
        return events;
    }

    @Override
    public <T> T create(Class<T> type) throws ServletException {
        try {
            return components.create(type, Origin.code(type.getName()));
        } catch (DescriptorException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    @Override
    public void destroy(Object instance) {
        components.destroy(instance);
    }

    @Override
    public ContentReading contentReading() {
        return reading;
    }

    @Override
    public AppGuard guard() {
        return guard;
    }
}
