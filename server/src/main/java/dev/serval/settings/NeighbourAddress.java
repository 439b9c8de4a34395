package dev.serval.settings;

import dev.serval.config.Values;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Writes the address of a neighbour as on a command line. Stateless.
final class NeighbourAddress {
    private NeighbourAddress() {}

    static String of(Values mount, String kind, Path folder) {
        String scheme = kind.equals("proxy") ? "http://" : kind + "://";
        List<String> places = new ArrayList<>();
        for (String text : mount.texts(kind)) {
            places.add(text.startsWith(scheme) ? text.substring(scheme.length()) : text);
        }
        return scheme + String.join(",", places);
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
