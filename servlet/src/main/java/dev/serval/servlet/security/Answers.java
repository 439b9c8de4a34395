package dev.serval.servlet.security;

import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.Account;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The answers to logins that all schemes share (RFC 9110 §11, §15.5.2).
final class Answers {
    private static final int TOO_MANY_REQUESTS = 429; // RFC 6585 §4
    private static final String RETRY_SECONDS = "2";

    private Answers() {}

    /// Answers 401 with a challenge.
    static void challenge(HttpServletResponse response, String challenge) throws IOException {
        response.setHeader("WWW-Authenticate", challenge);
        response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
    }

    /// Returns the user that a check has found; null if it has found none.
    static @Nullable Identity identity(Verdict verdict, String scheme) {
        return verdict instanceof Verdict.Accepted(Account account)
                ? new Identity(new UserPrincipal(account.name()), account.roles(), scheme)
                : null;
    }

    /// Answers a check that did not take place.
    ///
    /// @return whether that is the case
    static boolean refused(Verdict verdict, HttpServletResponse response) throws IOException {
        int status =
                switch (verdict) {
                    case Verdict.Accepted _, Verdict.Rejected _, Verdict.Stale _ -> 0;
                    case Verdict.Refused(boolean guessing) ->
                            guessing
                                    ? TOO_MANY_REQUESTS
                                    : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
                    case Verdict.Unavailable _ -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
                };
        if (status == 0) {
            return false;
        }
        response.setHeader("Retry-After", RETRY_SECONDS);
        response.sendError(status);
        return true;
    }

    /// Returns a quoted-string (RFC 9110 §5.6.4). Characters outside of ASCII would need a charset
    /// that challenges do not have, so they become question marks.
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c < ' ' || c > '~' ? '?' : c);
        }
        return quoted.append('"').toString();
    }
}
