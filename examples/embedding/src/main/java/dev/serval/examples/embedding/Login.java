package dev.serval.examples.embedding;

import dev.serval.Serval;
import dev.serval.app.AppHandler;
import dev.serval.app.Cookie;
import java.io.IOException;

/// Reads a form, sets a cookie, and redirects.
final class Login {
    private Login() {}

    static Serval start(int port) throws IOException {
        AppHandler login =
                x -> x.cookie(Cookie.of("user", x.form().first("user", ""))).redirect("/");
        return Serval.listen(port)
                .get("/login", x -> x.html("<form method=post><input name=user></form>"))
                .post("/login", login)
                .get("/", x -> x.text("Hello " + x.cookie("user")))
                .start();
    }
}
