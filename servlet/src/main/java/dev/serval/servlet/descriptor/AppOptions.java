package dev.serval.servlet.descriptor;

import jakarta.servlet.SessionTrackingMode;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The single values that an application declares. Owned by the thread that deploys.
public final class AppOptions {
    private String displayName = "";
    private String moduleName = "";
    private int majorVersion = 6;
    private int minorVersion = 1;
    private int sessionTimeoutMinutes = SessionDescription.TIMEOUT_MINUTES;
    private String cookieName = CookieDescription.NAME;
    private final Set<SessionTrackingMode> tracking = EnumSet.noneOf(SessionTrackingMode.class);
    private @Nullable String requestEncoding;
    private @Nullable String responseEncoding;
    private @Nullable String defaultContextPath;
    private boolean distributable;
    private boolean metadataComplete;
    private boolean welcomeList;

    AppOptions() {}

    /// Returns the name for people; empty if not declared.
    public String displayName() {
        return displayName;
    }

    /// Sets the name for people.
    public void displayName(String name) {
        displayName = name;
    }

    /// Returns the module-name; empty if not declared.
    public String moduleName() {
        return moduleName;
    }

    /// Sets the module-name.
    public void moduleName(String name) {
        moduleName = name;
    }

    /// Returns the major version of Servlet that web.xml names.
    public int majorVersion() {
        return majorVersion;
    }

    /// Returns the minor version of Servlet that web.xml names.
    public int minorVersion() {
        return minorVersion;
    }

    /// Sets the version of Servlet that web.xml names.
    public void version(int major, int minor) {
        majorVersion = major;
        minorVersion = minor;
    }

    /// Returns the session timeout; 0 or less for never.
    public int sessionTimeoutMinutes() {
        return sessionTimeoutMinutes;
    }

    /// Sets the session timeout; 0 or less for never.
    public void sessionTimeoutMinutes(int minutes) {
        sessionTimeoutMinutes = minutes;
    }

    /// Returns the name of the session cookie.
    public String cookieName() {
        return cookieName;
    }

    /// Sets the name of the session cookie.
    public void cookieName(String name) {
        cookieName = name;
    }

    /// Returns how a session's id travels, which the caller may change; empty for the default.
    public Set<SessionTrackingMode> tracking() {
        return tracking;
    }

    /// Returns the charset of requests that name none; null if not declared.
    public @Nullable String requestEncoding() {
        return requestEncoding;
    }

    /// Sets the charset of requests that name none.
    public void requestEncoding(@Nullable String charset) {
        requestEncoding = charset;
    }

    /// Returns the charset of responses that name none; null if not declared.
    public @Nullable String responseEncoding() {
        return responseEncoding;
    }

    /// Sets the charset of responses that name none.
    public void responseEncoding(@Nullable String charset) {
        responseEncoding = charset;
    }

    /// Returns the context path that the application asks for; null if not declared.
    public @Nullable String defaultContextPath() {
        return defaultContextPath;
    }

    /// Sets the context path that the application asks for.
    public void defaultContextPath(String path) {
        defaultContextPath = path;
    }

    /// Returns whether web.xml is complete, so that annotations do not count.
    public boolean metadataComplete() {
        return metadataComplete;
    }

    /// Sets whether web.xml is complete, so that annotations do not count.
    public void metadataComplete(boolean complete) {
        metadataComplete = complete;
    }

    /// Returns whether sessions may move between servers.
    public boolean distributable() {
        return distributable;
    }

    /// Sets whether sessions may move between servers.
    public void distributable(boolean declared) {
        distributable = declared;
    }

    /// Returns whether the application declares a list of welcome files, even an empty one.
    public boolean welcomeList() {
        return welcomeList;
    }

    /// Sets whether the application declares a list of welcome files.
    public void welcomeList(boolean declared) {
        welcomeList = declared;
    }
}
