package dev.serval.bench.peer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a peer does in a scenario. A peer's file has a table for each role that the peer can take.
public enum Role {
    /// Serves the document root.
    FILES,
    /// Serves the web application in the document root. A server without servlets serves its `/hello`
    /// and the files.
    SERVLET,
    /// Serves an application that a `web.xml` declares, with JSP pages: the example shop.
    WAR,
    /// Forwards each request to the HTTP server `${upstream}`, such as `127.0.0.1:8080`.
    PROXY,
    /// Has `${scripts}/index.php` run for each request by the FastCGI server on the Unix-domain
    /// socket `${socket}`.
    FASTCGI,
    /// Is that FastCGI server. It answers no HTTP, so it is only started behind a gateway.
    SCRIPTS;

    /// Returns the placeholders that only some roles have.
    Set<String> placeholders() {
        return switch (this) {
            case FILES, SERVLET, WAR -> Set.of("port");
            case PROXY -> Set.of("port", "upstream");
            case FASTCGI -> Set.of("port", "socket", "scripts");
            case SCRIPTS -> Set.of("socket");
        };
    }

    /// Returns the name of its table in a peer's file, such as `files`.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the names of all tables.
    static List<String> keys() {
        return Arrays.stream(values()).map(Role::key).toList();
    }
}
