package dev.serval.servlet.descriptor;

import java.util.Map;

/// The session cookie as declared. Immutable.
///
/// @param name the cookie's name; `JSESSIONID` unless declared
/// @param attributes Domain, Path, Max-Age, HttpOnly, Secure, SameSite and others, as declared;
///     names are compared without case
public record CookieDescription(String name, Map<String, String> attributes) {
    /// The name of the session cookie unless the application declares another (Servlet 6.1 §7.1.1).
    public static final String NAME = "JSESSIONID";

    /// Copies the attributes.
    public CookieDescription {
        attributes = Map.copyOf(attributes);
    }
}
