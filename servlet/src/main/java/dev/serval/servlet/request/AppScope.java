package dev.serval.servlet.request;

import dev.serval.servlet.session.SessionCookie;
import dev.serval.servlet.session.SessionTracking;
import dev.serval.servlet.session.SessionUrl;
import dev.serval.servlet.session.Sessions;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a request needs of its application. Any thread.
public interface AppScope {
    /// Returns the application's context.
    ServletContext context();

    /// Returns the application's sessions.
    Sessions sessions();

    /// Records that a request enters the application, which does not stop before the request has
    /// left it or its time is over.
    void enter();

    /// Records that a request has left the application.
    void leave();

    /// Returns how the ids of sessions travel.
    SessionTracking tracking();

    /// Returns the session cookie.
    SessionCookie sessionCookie();

    /// Returns the form of session ids in URLs.
    SessionUrl sessionUrl();

    /// Returns the charset of responses in a locale; null if it has none of its own.
    @Nullable String charsetOf(Locale locale);

    /// Returns the listeners of request attributes.
    AttributeEvents attributeEvents();

    /// Creates an object of the application's class, with injected values.
    <T> T create(Class<T> type) throws ServletException;

    /// Calls the @PreDestroy methods of an object that [#create] returned.
    void destroy(Object instance);

    /// Returns the heads of responses that have no field but Content-Type.
    PlainHeads plainHeads();

    /// Returns the limits and tools for parsing content.
    ContentReading contentReading();

    /// Returns what knows the application's users.
    Guard guard();
}
