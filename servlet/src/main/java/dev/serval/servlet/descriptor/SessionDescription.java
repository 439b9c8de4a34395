package dev.serval.servlet.descriptor;

import jakarta.servlet.SessionTrackingMode;
import java.util.Set;

/// The session-config of an application. Immutable.
///
/// @param timeoutMinutes time without a request after which a session ends; 0 or less for never
/// @param cookie the session cookie
/// @param tracking how a session's id travels; empty if the application declares nothing
public record SessionDescription(
        int timeoutMinutes, CookieDescription cookie, Set<SessionTrackingMode> tracking) {
    /// The time unless the application declares another.
    public static final int TIMEOUT_MINUTES = 30;

    /// Copies the modes.
    public SessionDescription {
        tracking = Set.copyOf(tracking);
    }
}
