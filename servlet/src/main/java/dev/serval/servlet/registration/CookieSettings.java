package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.CookieDescription;
import jakarta.servlet.SessionCookieConfig;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The session cookie, as code sees it (Servlet 6.1 §7.1.1). It changes the draft of the
/// application: HttpOnly and Secure are `true` or `false` there. Owned by the thread that starts
/// the application.
public final class CookieSettings implements SessionCookieConfig {
    private static final String DOMAIN = "Domain";
    private static final String PATH = "Path";
    private static final String MAX_AGE = "Max-Age";
    private static final String HTTP_ONLY = "HttpOnly";
    private static final String SECURE = "Secure";

    /// Characters that the name of a cookie or attribute must not contain (RFC 9110 §5.6.2).
    private static final String SEPARATORS = "()<>@,;:\\\"/[]?={} \t";

    private final AppDraft draft;
    private final ContextGate gate;

    public CookieSettings(AppDraft draft, ContextGate gate) {
        this.draft = draft;
        this.gate = gate;
    }

    @Override
    public void setName(@Nullable String name) {
        gate.requireConfigurable("setName");
        if (name == null || !isToken(name)) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" cannot be the name of a cookie. Use letters and digits.");
        }
        draft.options().cookieName(name);
    }

    @Override
    public @Nullable String getName() {
        String name = draft.options().cookieName();
        return name.equals(CookieDescription.NAME) ? null : name; // null if none was ever set
    }

    @Override
    public void setDomain(@Nullable String domain) {
        setAttribute(DOMAIN, domain);
    }

    @Override
    public @Nullable String getDomain() {
        return getAttribute(DOMAIN);
    }

    @Override
    public void setPath(@Nullable String path) {
        setAttribute(PATH, path);
    }

    @Override
    public @Nullable String getPath() {
        return getAttribute(PATH);
    }

    @Override
    @Deprecated(since = "Servlet 6.0", forRemoval = true)
    @SuppressWarnings("removal") // the interface still has it
    public void setComment(@Nullable String comment) {
        gate.requireConfigurable("setComment");
    }

    @Override
    @Deprecated(since = "Servlet 6.0", forRemoval = true)
    @SuppressWarnings({"removal", "InlineMeSuggester"}) // the interface still has it
    public @Nullable String getComment() {
        return null;
    }

    @Override
    public void setHttpOnly(boolean httpOnly) {
        setAttribute(HTTP_ONLY, Boolean.toString(httpOnly));
    }

    /// Returns true unless the application declares otherwise: scripts do not see session cookies.
    @Override
    public boolean isHttpOnly() {
        return isSet(HTTP_ONLY, true);
    }

    @Override
    public void setSecure(boolean secure) {
        setAttribute(SECURE, Boolean.toString(secure));
    }

    @Override
    public boolean isSecure() {
        return isSet(SECURE, false);
    }

    @Override
    public void setMaxAge(int maxAge) {
        setAttribute(MAX_AGE, Integer.toString(maxAge));
    }

    @Override
    public int getMaxAge() {
        @Nullable String value = getAttribute(MAX_AGE);
        return value == null ? -1 : Integer.parseInt(value);
    }

    @Override
    public void setAttribute(@Nullable String name, @Nullable String value) {
        gate.requireConfigurable("SessionCookieConfig.setAttribute");
        if (name == null || !isToken(name)) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" cannot be the name of a cookie's attribute.");
        }
        Map<String, String> attributes = draft.cookieAttributes();
        if (value != null) {
            check(name, value);
        }
        attributes.keySet().removeIf(name::equalsIgnoreCase);
        if (value != null) {
            attributes.put(name, value);
        }
    }

    @Override
    public @Nullable String getAttribute(String name) {
        for (Map.Entry<String, String> attribute : draft.cookieAttributes().entrySet()) {
            if (attribute.getKey().equalsIgnoreCase(name)) {
                return attribute.getValue();
            }
        }
        return null;
    }

    @Override
    public Map<String, String> getAttributes() {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(draft.cookieAttributes());
        return Collections.unmodifiableMap(all);
    }

    private boolean isSet(String name, boolean otherwise) {
        @Nullable String value = getAttribute(name);
        return value == null ? otherwise : value.isEmpty() || Boolean.parseBoolean(value);
    }

    private static void check(String name, String value) {
        if (name.equalsIgnoreCase(MAX_AGE)) {
            Integer.parseInt(value);
        }
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            if (c < ' ' || c == 0x7f || c == ';') { // RFC 6265 §4.1.1
                throw new IllegalArgumentException(
                        "The attribute "
                                + name
                                + " of the session cookie has a control character or a semicolon."
                                + " Remove it.");
            }
        }
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c < 0x7f && SEPARATORS.indexOf(c) < 0);
    }
}
