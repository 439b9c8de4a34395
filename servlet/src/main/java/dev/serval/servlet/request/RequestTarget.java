package dev.serval.servlet.request;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.RequestHead;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The parts of a request's URL and the addresses of its connection, as text.
final class RequestTarget {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private RequestTarget() {}

    /// Returns the path as it was sent, encoded and without its query.
    static String rawPath(RequestHead head) {
        String text = head.target().text();
        int from = 0;
        if (!text.startsWith("/")) {
            int scheme = text.indexOf("://");
            from = scheme < 0 ? text.length() : text.indexOf('/', scheme + 3);
            int query = text.indexOf('?');
            from = from < 0 || (query >= 0 && query < from) ? text.length() : from;
        }
        int query = text.indexOf('?', from);
        String path = text.substring(from, query < 0 ? text.length() : query);
        return path.isEmpty() ? "/" : path;
    }

    /// Returns a path in the folder of another one (Servlet 6.1 §9.1).
    ///
    /// @param current a decoded path, which is encoded because dispatchers decode theirs
    static String inFolderOf(String current, String path) {
        String folder = current.substring(0, current.lastIndexOf('/') + 1);
        String encoded = folder.replace("%", "%25").replace(";", "%3B").replace("?", "%3F");
        return (encoded.isEmpty() ? "/" : encoded) + path;
    }

    /// Returns the host that the client named, without its port; the server's address if the client
    /// named none.
    static String host(RequestHead head, ConnectionFacts facts) {
        String authority = facts.authority(head);
        int end = portColon(authority);
        String host = end < 0 ? authority : authority.substring(0, end);
        return host.isEmpty() ? address(facts.local()) : host;
    }

    /// Returns the port that the client named, or that of its scheme.
    static int port(RequestHead head, ConnectionFacts facts) {
        String authority = facts.authority(head);
        int colon = portColon(authority);
        if (authority.isEmpty()) {
            return port(facts.local());
        }
        if (colon < 0 || colon + 1 == authority.length()) {
            return facts.secure() ? HTTPS_PORT : HTTP_PORT;
        }
        try {
            return Integer.parseInt(authority.substring(colon + 1));
        } catch (NumberFormatException e) {
            return facts.secure() ? HTTPS_PORT : HTTP_PORT;
        }
    }

    /// Returns the URL up to the path: `https://example.com:8443`.
    static String origin(RequestHead head, ConnectionFacts facts) {
        int port = port(head, facts);
        int usual = facts.secure() ? HTTPS_PORT : HTTP_PORT;
        return (facts.secure() ? "https://" : "http://")
                + host(head, facts)
                + (port == usual || port < 0 ? "" : ":" + port);
    }

    /// Returns the numeric address; empty for a Unix-domain socket.
    static String address(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    /// Returns the port; 0 for a Unix-domain socket.
    static int port(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    /// Returns the index of the colon before the port, or -1. IPv6 addresses have brackets.
    private static int portColon(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? colon : -1;
    }
}
