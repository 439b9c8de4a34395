package dev.serval.servlet.login;

import dev.serval.servlet.password.SecurityLimits;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.users.Account;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Credentials and answers that schemes share (RFC 9110 §11, §15.5.2). BASIC and DIGEST send
/// credentials in the field Authorization with each request.
public final class Answers {
    private static final int TOO_MANY_REQUESTS = 429; // RFC 6585 §4
    private static final String RETRY_SECONDS = "2";

    private Answers() {}

    /// Returns the value of Authorization; null if there is none, or if it is too long.
    static @Nullable String credentials(ServletExchange exchange, SecurityLimits limits) {
        @Nullable String field = exchange.request().getHeader("Authorization");
        return field == null || field.length() > limits.credentialsMaxChars() ? null : field;
    }

    /// Sets the user of a request that has sent right credentials.
    static void accept(ServletExchange exchange, Identity user) {
        SessionLogin.use(exchange, user);
        exchange.identity(user);
    }

    /// Answers 401 with a challenge.
    static void challenge(HttpServletResponse response, String challenge) throws IOException {
        response.setHeader("WWW-Authenticate", challenge);
        response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
    }

    /// Returns the user that a check has found; null if it has found none.
    public static @Nullable Identity identity(Verdict verdict, String scheme) {
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
            quoted.append(isPlain(c) ? c : '?');
        }
        return quoted.append('"').toString();
    }

    /// Returns whether [#quoted] keeps all characters of a text.
    public static boolean isPlain(String text) {
        return text.chars().allMatch(Answers::isPlain);
    }

    private static boolean isPlain(int c) {
        return c >= ' ' && c <= '~';
    }
}
