package dev.serval.servlet.login;

import dev.serval.servlet.request.AppRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The page that asks for name and password if an application has none of its own. It loads nothing
/// else, and no page of another site may show it in a frame.
final class LoginPage {
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
                    + " frame-ancestors 'none'; base-uri 'none'";
    private static final String HEAD =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Log in</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 20rem;
              padding: 0 1rem }
            label { display: block; margin-top: 1rem }
            input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .6rem }
            button { margin-top: 1.5rem; cursor: pointer }
            [role=alert] { border-left: .25rem solid #c33; padding-left: .75rem }
            </style>
            <h1>Log in</h1>
            """;
    private static final String FAILED =
            "<p role=\"alert\">The name or the password is wrong.</p>\n";
    private static final String FIELDS =
            """
            <label for="name">Name</label>
            <input id="name" name="j_username" autocomplete="username" autocapitalize="none" required autofocus>
            <label for="password">Password</label>
            <input id="password" name="j_password" type="password" autocomplete="current-password" required>
            <button>Log in</button>
            </form>
            </html>
            """;

    /// The request as the login page sees it: a GET, because the page is no target of the client's
    /// method.
    static final class AsGet extends HttpServletRequestWrapper {
        AsGet(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getMethod() {
            return "GET";
        }
    }

    private LoginPage() {}

    /// Answers with the page.
    ///
    /// @param failed whether to say that a login has failed
    static void answer(AppRequest request, HttpServletResponse response, boolean failed)
            throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setContentType("text/html;charset=utf-8");
        String action = response.encodeURL(request.getContextPath() + FormLogin.ACTION);
        response.getWriter()
                .print(
                        HEAD
                                + (failed ? FAILED : "")
                                + "<form method=\"post\" action=\""
                                + escaped(action)
                                + "\">\n"
                                + FIELDS);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("\"", "&quot;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
