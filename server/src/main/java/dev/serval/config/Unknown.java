package dev.serval.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sentence about a key that does not exist: what was probably meant. Stateless.
final class Unknown {
    /// What other servers call a thing, and what it is called here.
    private static final Map<String, String> ELSEWHERE =
            Map.ofEntries(
                    Map.entry("root", "folder"),
                    Map.entry("alias", "folder"),
                    Map.entry("docbase", "app"),
                    Map.entry("war", "app"),
                    Map.entry("context", "mount"),
                    Map.entry("location", "mount"),
                    Map.entry("proxy_pass", "proxy"),
                    Map.entry("fastcgi_pass", "fastcgi"),
                    Map.entry("scgi_pass", "scgi"),
                    Map.entry("return", "redirect"),
                    Map.entry("server_name", "name"),
                    Map.entry("virtualhost", "host"),
                    Map.entry("vhost", "host"),
                    Map.entry("path", "at"),
                    Map.entry("prefix", "at"),
                    Map.entry("port", "address"),
                    Map.entry("bind", "address"),
                    Map.entry("listen", "listener"),
                    Map.entry("connector", "listener"),
                    Map.entry("autoindex", "listing"),
                    Map.entry("expires", "cache-control"),
                    Map.entry("add_header", "fields"),
                    Map.entry("headers", "fields"),
                    Map.entry("error_page", "error-pages"),
                    Map.entry("try_files", "try-files"),
                    Map.entry("client_max_body_size", "content"),
                    Map.entry("keepalive_timeout", "idle-time"),
                    Map.entry("worker_processes", "loops"),
                    Map.entry("threads", "loops"),
                    Map.entry("auth_basic", "login"));

    /// The depth of tables in tables of a table, such as [[host.mount.upstream]].
    private static final int DEEP = 3;

    private Unknown() {}

    /// Returns the sentence.
    ///
    /// @param root all keys
    /// @param section where the key stands
    /// @param path of the section; empty for the top
    static String key(Section root, Section section, String path, String name) {
        String place = path.isEmpty() ? "at the top of the file" : "in " + section.header(path);
        String begin = "There is no key " + name + " " + place;
        List<String> here = new ArrayList<>();
        section.keys().forEach(key -> here.add(key.name()));
        section.sections().forEach(inner -> here.add(inner.name()));
        @Nullable String near = Nearest.to(name, here);
        if (near != null) {
            return begin + ": did you mean " + near + "?";
        }
        @Nullable String own = ELSEWHERE.get(name.toLowerCase(Locale.ROOT).replace('-', '_'));
        if (own != null && here.contains(own)) {
            return begin + ": here it is called " + own + ".";
        }
        List<String> elsewhere = places(root, name);
        if (!elsewhere.isEmpty()) {
            return begin + ": it belongs to " + String.join(" or ", elsewhere) + ".";
        }
        if (own != null) {
            List<String> places = places(root, own);
            return begin
                    + ": here it is called "
                    + own
                    + (places.isEmpty() ? "" : ", in " + String.join(" or ", places))
                    + ".";
        }
        return begin + ": possible are " + String.join(", ", here) + ".";
    }

    /// Returns the tables that have a key or table of that name; those deep inside of others only if
    /// no other table has it.
    private static List<String> places(Section root, String name) {
        List<String> found = new ArrayList<>();
        find(root, "", name, found);
        List<String> outer = found.stream().filter(each -> depth(each) < DEEP).toList();
        return outer.isEmpty() ? found : outer;
    }

    private static long depth(String header) {
        return header.chars().filter(c -> c == '.').count() + 1;
    }

    /// Collects the tables that have a key or table of that name.
    private static void find(Section section, String path, String name, List<String> found) {
        for (Section inner : section.sections()) {
            String at = path.isEmpty() ? inner.name() : path + "." + inner.name();
            if (inner.key(name) != null || inner.section(name) != null) {
                found.add(inner.header(at));
            }
            find(inner, at, name, found);
        }
        if (path.isEmpty() && section.section(name) != null) {
            found.add("the top of the file");
        }
    }
}
