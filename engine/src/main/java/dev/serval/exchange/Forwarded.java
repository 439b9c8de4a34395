package dev.serval.exchange;

import dev.serval.codec.Authority;
import dev.serval.codec.ForwardedElement;
import dev.serval.codec.IpText;
import dev.serval.codec.LastFirst;
import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.policy.TrustedProxies;
import dev.serval.policy.TrustedProxies.Convention;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The facts of a client as trusted proxies tell them in fields of the request.
///
/// The fields are lists, to which each proxy appends. They are read from their end, and only as far
/// as trusted proxies have written them: what stands before that may be an invention of the client.
/// The client is the last address that is not a trusted proxy's, or the first address of all if each
/// is one. A malformed value is ignored, as if the proxy had not told it.
///
/// If no field tells the scheme, a target `https://…` does (RFC 9110 §7.4), which is also that of an
/// HTTP/2 request with `:scheme` https.
///
/// @param direct the facts of the connection itself
/// @param peer the client's address
/// @param secure whether the client's connection is encrypted
/// @param forwardedHost the host that the client asked for; null if no proxy tells it
record Forwarded(
        ConnectionFacts direct, SocketAddress peer, boolean secure, @Nullable String forwardedHost)
        implements ConnectionFacts {
    private static final String X_FORWARDED_PORT = "X-Forwarded-Port"; // no browser sends it

    @Override
    public long id() {
        return direct.id();
    }

    @Override
    public SocketAddress local() {
        return direct.local();
    }

    /// Returns what the peer of a connection tells; null if it tells nothing, or is not trusted.
    ///
    /// @param request null if the head could not be read
    static @Nullable ConnectionFacts told(
            ServiceLoop service, ConnectionFacts direct, @Nullable RequestHead request) {
        @Nullable TrustedProxies trusted = service.settings().trustedProxies();
        return trusted == null ? null : by(trusted, direct, request);
    }

    /// Returns what the peer of a connection tells; null if it tells nothing, or is not trusted.
    ///
    /// @param request null if the head could not be read
    static @Nullable ConnectionFacts by(
            TrustedProxies trusted, ConnectionFacts direct, @Nullable RequestHead request) {
        if (request == null || !trusted.trusts(direct.peer())) {
            return null;
        }
        Fields fields = request.fields();
        Convention convention = trusted.convention();
        if (convention != Convention.FORWARDED && tellsByX(fields)) {
            return byX(trusted, direct, request);
        }
        @Nullable ConnectionFacts told = null;
        if (convention != Convention.X_FORWARDED && fields.contains(FieldName.FORWARDED)) {
            told = byForwarded(trusted, direct, request);
        }
        return told == null && request.target().isHttps()
                ? new Forwarded(direct, direct.peer(), true, null)
                : told;
    }

    private static boolean tellsByX(Fields fields) {
        return fields.contains(FieldName.X_FORWARDED_FOR)
                || fields.contains(FieldName.X_FORWARDED_PROTO)
                || fields.contains(FieldName.X_FORWARDED_HOST)
                || fields.first(X_FORWARDED_PORT) != null;
    }

    /// Reads `X-Forwarded-*`. The lists of scheme, host and port are read at the place of the proxy
    /// that the client is connected to, counted from their end, or at their beginning if they are
    /// shorter: some proxies append, others replace.
    private static ConnectionFacts byX(
            TrustedProxies trusted, ConnectionFacts direct, RequestHead request) {
        Fields fields = request.fields();
        @Nullable SocketAddress client = null;
        int place = 0;
        LastFirst hops = LastFirst.of(fields.all(FieldName.X_FORWARDED_FOR));
        for (int i = 0; hops.next(); i++) {
            @Nullable InetSocketAddress hop = node(hops.text(), hops.from(), hops.to());
            if (hop == null) {
                client = null;
                place = 0;
                break;
            }
            client = hop;
            place = i;
            if (!trusted.trusts(hop.getAddress())) {
                break;
            }
        }
        @Nullable String scheme = at(place, fields.all(FieldName.X_FORWARDED_PROTO));
        @Nullable String host = at(place, fields.all(FieldName.X_FORWARDED_HOST));
        @Nullable String port = at(place, fields.all(X_FORWARDED_PORT));
        return new Forwarded(
                direct,
                client == null ? direct.peer() : client,
                secure(scheme, direct, request),
                withPort(host(host), port, request));
    }

    /// Reads `Forwarded` (RFC 7239 §4). Each element has what one proxy tells of its client.
    private static @Nullable ConnectionFacts byForwarded(
            TrustedProxies trusted, ConnectionFacts direct, RequestHead request) {
        LastFirst hops = LastFirst.of(request.fields().all(FieldName.FORWARDED));
        ForwardedElement element = new ForwardedElement();
        @Nullable InetSocketAddress client = null;
        boolean told = false;
        boolean trustedHop = true;
        while (trustedHop && hops.next()) {
            if (!element.read(hops.text(), hops.from(), hops.to())) {
                return null;
            }
            told = true;
            client = node(element.client());
            trustedHop = client != null && trusted.trusts(client.getAddress());
        }
        return !told
                ? null
                : new Forwarded(
                        direct,
                        client == null ? direct.peer() : client, // unknown, or a secret name
                        secure(element.scheme(), direct, request),
                        host(element.host()));
    }

    /// Returns the element of a list at `place`, counted from its end, or the first one if there are
    /// fewer; null if the list is empty.
    private static @Nullable String at(int place, List<String> values) {
        LastFirst list = LastFirst.of(values);
        @Nullable String found = null;
        for (int i = 0; i <= place && list.next(); i++) {
            found =
                    new String(
                            list.text(),
                            list.from(),
                            list.to() - list.from(),
                            StandardCharsets.ISO_8859_1);
        }
        return found;
    }

    /// Some proxies name the scheme of a WebSocket.
    private static boolean secure(
            @Nullable String scheme, ConnectionFacts direct, RequestHead request) {
        if (scheme == null) {
            return direct.secure() || request.target().isHttps();
        }
        if (scheme.equalsIgnoreCase("https") || scheme.equalsIgnoreCase("wss")) {
            return true;
        }
        boolean plain = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("ws");
        return !plain && direct.secure();
    }

    private static @Nullable String host(@Nullable String told) {
        if (told == null) {
            return null;
        }
        byte[] bytes = bytes(told);
        return Authority.valid(bytes, 0, bytes.length) && Authority.named(bytes, 0, bytes.length)
                ? told
                : null;
    }

    /// Adds a port that is told separately to a host without one.
    private static @Nullable String withPort(
            @Nullable String host, @Nullable String port, RequestHead request) {
        if (port == null || IpText.port(bytes(port), 0, port.length()) <= 0) {
            return host;
        }
        String name = host == null ? request.authority() : host;
        byte[] bytes = bytes(name);
        if (!Authority.hasPort(bytes, 0, bytes.length)) {
            return name.isEmpty() ? null : name + ":" + port;
        }
        // A port of the Host field is that of this server; one of the proxy's is its client's.
        return host != null ? host : name.substring(0, name.lastIndexOf(':')) + ":" + port;
    }

    private static @Nullable InetSocketAddress node(@Nullable String text) {
        return text == null ? null : node(bytes(text), 0, text.length());
    }

    /// Reads an address that a port may follow (RFC 7239 §6). An IPv6 address without brackets has
    /// no port. A port that is a secret name counts as unknown.
    private static @Nullable InetSocketAddress node(byte[] text, int from, int to) {
        int hostFrom = from;
        int hostTo = to;
        int colon = to;
        if (from < to && text[from] == '[') {
            hostFrom = from + 1;
            hostTo = indexOf(']', text, from, to);
            colon = hostTo + 1;
            if (hostTo == to || (colon < to && text[colon] != ':')) {
                return null;
            }
        } else {
            int first = indexOf(':', text, from, to);
            if (indexOf(':', text, first + 1, to) >= to) {
                hostTo = first;
                colon = first;
            }
        }
        @Nullable InetAddress ip = IpText.address(text, hostFrom, hostTo);
        boolean secret = colon + 1 < to && text[colon + 1] == '_';
        int port = colon >= to || secret ? 0 : IpText.port(text, colon + 1, to);
        return ip == null || port < 0 ? null : new InetSocketAddress(ip, port);
    }

    private static int indexOf(char sign, byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] != sign) {
            at++;
        }
        return at;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
