package dev.serval.bench.peer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What Serval serves at `/`, as a word of its command line and as keys of its configuration file.
///
/// @param kind the key of the mount, such as `folder`
/// @param options options of the servers behind it
record Mounted(String kind, String target, Map<String, Object> options) {
    /// Returns a folder or an application: a WAR, or a folder that is one.
    static Mounted application(Path root) {
        boolean app = Files.isRegularFile(root) || Files.isDirectory(root.resolve("WEB-INF"));
        return new Mounted(app ? "app" : "folder", root.toString(), Map.of());
    }

    /// Returns an HTTP server.
    static Mounted proxy(String address) {
        return new Mounted("proxy", "http://" + address, Map.of());
    }

    /// Returns a FastCGI server that runs one script for all paths.
    static Mounted fastcgi(Path socket, Path scripts, String script, int connections) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("root", scripts.toString());
        options.put("fallback", script);
        options.put("keep", true);
        options.put("connections", connections);
        return new Mounted("fastcgi", "unix:" + socket, options);
    }

    /// Returns the argument of `serval run`.
    String argument() {
        StringBuilder text = new StringBuilder();
        switch (kind) {
            case "folder", "app" -> text.append(target);
            case "proxy" -> text.append("/=").append(target);
            default -> text.append("/=").append(kind).append("://").append(target);
        }
        String next = "?";
        for (Map.Entry<String, Object> option : options.entrySet()) {
            Object value = option.getValue().equals(true) ? "yes" : option.getValue();
            text.append(next).append(option.getKey()).append('=').append(value);
            next = "&";
        }
        return text.toString();
    }

    /// Returns the lines of a table `[[mount]]`.
    String keys() {
        StringBuilder text = new StringBuilder();
        text.append("  ").append(kind).append(" = \"").append(target).append("\"\n");
        options.forEach((key, value) -> {
            text.append("  upstream.").append(key).append(" = ");
            text.append(value instanceof String ? "\"" + value + "\"" : value).append('\n');
        });
        return text.toString();
    }
}
