package dev.serval.servlet.request;

import java.util.ArrayDeque;
import java.util.Deque;

/// Makes the absolute URL of a redirect from a location that may be relative (Javadoc of
/// sendRedirect, RFC 3986 §5.2).
final class AbsoluteUrl {
    private AbsoluteUrl() {}

    /// Returns the absolute URL.
    ///
    /// @param origin of the request: `https://example.com:8443`
    /// @param uri the path of the request
    static String of(String location, String origin, String uri) {
        if (location.startsWith("//")) {
            return origin.substring(0, origin.indexOf(':') + 1) + location;
        }
        int colon = location.indexOf(':');
        int end = firstOf(location, "/?#");
        if (colon > 0 && colon < end) {
            return location; // it has a scheme
        }
        if (location.startsWith("/")) {
            return origin + location;
        }
        if (location.startsWith("?") || location.startsWith("#")) {
            return origin + uri + location;
        }
        int pathEnd = firstOf(location, "?#");
        String path = uri.substring(0, uri.lastIndexOf('/') + 1) + location.substring(0, pathEnd);
        return origin + withoutDots(path) + location.substring(pathEnd);
    }

    private static int firstOf(String text, String characters) {
        for (int i = 0; i < text.length(); i++) {
            if (characters.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    /// Resolves dot segments (RFC 3986 §5.2.4).
    private static String withoutDots(String path) {
        if (!path.contains("/.")) {
            return path;
        }
        Deque<String> kept = new ArrayDeque<>();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean last = i == segments.length - 1;
            switch (segments[i]) {
                case "." -> {
                    if (last) {
                        kept.addLast("");
                    }
                }
                case ".." -> {
                    kept.pollLast();
                    if (last) {
                        kept.addLast("");
                    }
                }
                default -> kept.addLast(segments[i]);
            }
        }
        return "/" + String.join("/", kept);
    }
}
