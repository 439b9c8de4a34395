package dev.serval.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sentence about a key that does not exist: what was probably meant. Stateless.
final class Unknown {
    /// What other servers call a thing, and the keys for it. A table that has one of them gets that one,
    /// every other table the first.
    private static final Map<String, List<String>> ELSEWHERE =
            Map.ofEntries(
                    Map.entry("root", List.of("mount.folder")),
                    Map.entry("alias", List.of("mount.folder")),
                    Map.entry("docbase", List.of("mount.app")),
                    Map.entry("war", List.of("mount.app")),
                    Map.entry("context", List.of("mount")),
                    Map.entry("location", List.of("mount.at", "mount")),
                    Map.entry("proxy_pass", List.of("mount.proxy")),
                    Map.entry("proxy_set_header", List.of("mount.upstream.fields")),
                    Map.entry("proxy_read_timeout", List.of("mount.upstream.answer-time")),
                    Map.entry("proxy_connect_timeout", List.of("mount.upstream.connect-time")),
                    Map.entry("read_timeout", List.of("mount.upstream.answer-time")),
                    Map.entry(
                            "timeout",
                            List.of("limits.request-time", "mount.upstream.answer-time")),
                    Map.entry("fastcgi_param", List.of("mount.upstream.variables")),
                    Map.entry("fastcgi_pass", List.of("mount.fastcgi")),
                    Map.entry("scgi_pass", List.of("mount.scgi")),
                    Map.entry("return", List.of("mount.redirect")),
                    Map.entry("server_name", List.of("host.name")),
                    Map.entry("virtualhost", List.of("host")),
                    Map.entry("vhost", List.of("host")),
                    Map.entry("path", List.of("mount.at")),
                    Map.entry("prefix", List.of("mount.at")),
                    Map.entry("port", List.of("listener.address")),
                    Map.entry("bind", List.of("listener.address")),
                    Map.entry("listen", List.of("listener.address", "listener")),
                    Map.entry("connector", List.of("listener")),
                    Map.entry("autoindex", List.of("mount.files.listing")),
                    Map.entry("expires", List.of("mount.files.cache-control")),
                    Map.entry("add_header", List.of("mount.fields")),
                    Map.entry("headers", List.of("mount.fields")),
                    Map.entry("error_page", List.of("mount.error-pages")),
                    Map.entry("try_files", List.of("mount.try-files")),
                    Map.entry("client_max_body_size", List.of("limits.content")),
                    Map.entry("keepalive_timeout", List.of("limits.idle-time")),
                    Map.entry("worker_processes", List.of("server.loops")),
                    Map.entry("threads", List.of("server.loops")),
                    Map.entry("ssl_certificate", List.of("listener.tls.certificate")),
                    Map.entry("ssl_certificate_key", List.of("listener.tls.key")),
                    Map.entry("access_log", List.of("log")),
                    Map.entry("auth_basic", List.of("mount.login")));

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
        @Nullable String own = own(root, name, here);
        if (own != null) {
            boolean scripts = name.equals("root") && section.key("fastcgi") != null;
            return begin
                    + ": here it is called "
                    + own
                    + (scripts ? ", or upstream.root beside fastcgi." : ".");
        }
        List<String> elsewhere = places(root, name);
        if (!elsewhere.isEmpty()) {
            return begin + ": it belongs to " + String.join(" or ", elsewhere) + ".";
        }
        return begin + ": possible are " + String.join(", ", here) + ".";
    }

    /// Returns what a thing of another server is called here, and in which table if not in this one.
    ///
    /// @param here the names of this table
    private static @Nullable String own(Section root, String name, List<String> here) {
        List<String> keys =
                ELSEWHERE.getOrDefault(name.toLowerCase(Locale.ROOT).replace('-', '_'), List.of());
        for (String key : keys) {
            String last = key.substring(key.lastIndexOf('.') + 1);
            if (here.contains(last)) {
                return last;
            }
        }
        if (keys.isEmpty()) {
            return null;
        }
        String key = keys.getFirst();
        int dot = key.lastIndexOf('.');
        return dot < 0
                ? "[[" + key + "]]"
                : key.substring(dot + 1) + ", in " + header(root, key.substring(0, dot));
    }

    /// Returns a table as a file writes it.
    private static String header(Section root, String path) {
        Section section = root;
        for (String name : path.split("\\.", -1)) {
            section = Objects.requireNonNull(section.section(name), path);
        }
        return section.header(path);
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
