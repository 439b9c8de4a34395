package dev.serval.gateway.proxy;

import dev.serval.codec.ByteRules;
import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.ForwardingFields;
import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.RequestHead;
import dev.serval.http1.Framing;
import dev.serval.http1.RequestEncoder;
import dev.serval.net.Output;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes the heads of forwarded requests: the client's fields without those of its connection,
/// and Via, Forwarded and X-Forwarded-* (RFC 9110 §7.6.3, RFC 7239). Owned by one loop.
final class ForwardHead {
    private static final byte[] HOST = bytes("Host: ");
    private static final byte[] CRLF = bytes("\r\n");
    private static final byte[] VIA_2 = bytes("Via: 2.0 serval\r\n");
    private static final byte[] VIA_1_1 = bytes("Via: 1.1 serval\r\n");
    private static final byte[] VIA_1_0 = bytes("Via: 1.0 serval\r\n");
    private static final byte[] TRAILERS = bytes("TE: trailers\r\nConnection: TE\r\n");
    private static final byte[] UPGRADE = bytes("Connection: upgrade\r\n");
    private static final byte[] EXPECT = bytes("Expect: 100-continue\r\n");
    private static final byte[] FOR = bytes("X-Forwarded-For: ");
    private static final byte[] FORWARDED_HOST = bytes("X-Forwarded-Host: ");
    private static final byte[] FORWARDED_PROTO = bytes("X-Forwarded-Proto: ");
    private static final byte[] FORWARDED = bytes("Forwarded: for=");
    private static final byte[] LOCALHOST = bytes("localhost");
    private static final String PROXY = "proxy";
    private static final byte[] MAX_FORWARDS = bytes("Max-Forwards: ");
    private static final int OWN_BYTES = 640; // all constants, addresses and numbers
    private static final int ROOM_MAX_BYTES = 16 << 10;

    private final ProxyTarget target;
    private final byte @Nullable [] base;
    private final byte @Nullable [] host;
    private final @Nullable OwnFields own; // that the mount sets or removes
    private final RequestEncoder encoder = new RequestEncoder();
    private final ForwardPath path = new ForwardPath();

    ForwardHead(ProxyTarget target) {
        this.target = target;
        @Nullable String basePath = target.basePath();
        this.base = basePath == null ? null : bytes(basePath);
        @Nullable String name = target.host();
        this.host = name == null ? null : bytes(name);
        this.own = OwnFields.of(target.fields());
    }

    /// Writes the head.
    ///
    /// @param upgrades whether the request may upgrade the connection
    /// @param expects whether the upstream is asked for 100 Continue
    void write(
            Output out,
            EngineExchange x,
            Framing framing,
            long length,
            boolean upgrades,
            boolean expects) {
        RequestHead head = x.request();
        path.write(head.target(), x.route().prefixLength(), base);
        byte[] authority = authority(head);
        byte[] named = authority.length > 0 ? authority : local(x);
        ConnectionFacts client = client(x);
        @Nullable String told = client.forwardedHost();
        byte[] asked = told == null ? authority : bytes(told);
        byte[] ofClient = asked.length > 0 ? asked : named;
        String method = head.methodText();
        int most =
                encoder.headBound(method, path.length(), head.fields())
                        + OWN_BYTES
                        + authority.length
                        + 2 * asked.length
                        + (own == null ? 0 : own.bound(x, ofClient));
        ByteBuffer into = most <= ROOM_MAX_BYTES ? out.room(most) : ByteBuffer.allocate(most);
        encoder.line(into, method, path.array(), 0, path.length());
        byte @Nullable [] fixed = host;
        into.put(HOST).put(fixed != null ? fixed : named).put(CRLF);
        int hops = ForwardLimit.of(head);
        fields(into, head.fields(), upgrades, hops > 0);
        forwarded(into, head.fields(), client, asked);
        if (own != null) {
            own.write(into, x, ofClient);
        }
        if (hops > 0) {
            into.put(MAX_FORWARDS).put(bytes(Integer.toString(hops - 1))).put(CRLF);
        }
        into.put(via(head.version()));
        if (upgrades) {
            into.put(UPGRADE);
        } else if (takesTrailers(head.fields())) {
            into.put(TRAILERS);
        }
        if (expects) {
            into.put(EXPECT);
        }
        encoder.end(into, framing, length);
        if (most > ROOM_MAX_BYTES) {
            out.write(into.flip(), null);
        }
    }

    /// Returns the trailers that are forwarded: the rules of the head hold for them, because an
    /// upstream may merge both (RFC 9110 §6.5.1).
    Fields trailers(Fields fields) {
        Fields kept = new Fields();
        HopFields hops = HopFields.ofTrailers();
        for (int i = 0; i < fields.size(); i++) {
            int id = fields.id(i);
            boolean forwarded =
                    ForwardingFields.has(fields, i)
                            ? target.trustsClient()
                            : !isReplaced(fields, i, id, true) && !hops.drops(fields, i);
            if (forwarded && !isOwn(fields, i)) {
                kept.add(fields, i);
            }
        }
        return kept;
    }

    /// Returns the field with the version in which the request was received (RFC 9110 §7.6.3).
    private static byte[] via(HttpVersion received) {
        return switch (received) {
            case HTTP_1_0 -> VIA_1_0;
            case HTTP_1_1 -> VIA_1_1;
            case HTTP_2 -> VIA_2;
        };
    }

    private void fields(ByteBuffer into, Fields fields, boolean upgrades, boolean decrements) {
        HopFields hops = HopFields.of(fields);
        for (int i = 0; i < fields.size(); i++) {
            int id = fields.id(i);
            boolean kept;
            if (ForwardingFields.has(fields, i)) {
                // A client that names them in Connection does not remove what a proxy before it
                // set.
                kept = target.trustsClient();
            } else if (upgrades && id == FieldName.UPGRADE.id()) {
                kept = true;
            } else {
                kept = !isReplaced(fields, i, id, decrements) && !hops.drops(fields, i);
            }
            if (kept && !isOwn(fields, i)) {
                encoder.field(into, fields, i);
            }
        }
    }

    /// Returns whether the mount sets or removes the field.
    private boolean isOwn(Fields fields, int i) {
        return own != null && own.replaces(fields, i);
    }

    /// Returns whether the proxy writes a field as it usually does.
    private boolean writes(FieldName name) {
        return own == null || !own.replaces(name);
    }

    /// Returns whether the proxy writes the field itself, or no client may set it: a CGI program
    /// behind the upstream would take `Proxy` for its own proxy (CVE-2016-5385).
    private static boolean isReplaced(Fields fields, int i, int id, boolean decrements) {
        return id == FieldName.HOST.id()
                || id == FieldName.EXPECT.id()
                || (decrements && id == FieldName.MAX_FORWARDS.id())
                || (id < 0 && (isNamed(fields, i, PROXY) || isDisguised(fields, i)));
    }

    /// Returns whether a program that writes `_` for signs in names, as CGI does, would take the
    /// field for a known one, such as `Content_Length` for the length of the content.
    private static boolean isDisguised(Fields fields, int i) {
        byte[] bytes = fields.buffer();
        int from = fields.nameAt(i);
        int to = fields.nameEnd(i);
        boolean plain = true;
        for (int at = from; at < to; at++) {
            plain &= bytes[at] == '-' || ForwardingFields.isAlphanumeric(bytes[at]);
        }
        if (plain) {
            return false;
        }
        byte[] name = Arrays.copyOfRange(bytes, from, to);
        for (int at = 0; at < name.length; at++) {
            if (!ForwardingFields.isAlphanumeric(name[at])) {
                name[at] = '-';
            }
        }
        return FieldName.of(name, 0, name.length) != null;
    }

    /// Returns whether programs that confuse signs in names take field `i` for one of this name.
    ///
    /// @param lowerCase as [#comparable] returns it
    static boolean isNamed(Fields fields, int i, String lowerCase) {
        return fields.nameEnd(i) - fields.nameAt(i) == lowerCase.length()
                && ForwardingFields.beginsWith(fields, i, lowerCase);
    }

    /// Returns the name of a field in lower case, with `-` for each sign.
    static String comparable(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-");
    }

    /// Returns whose facts are told to the upstream. If the fields of the peer are kept, they already
    /// tell of the client before it, and only the peer itself is added.
    private ConnectionFacts client(EngineExchange x) {
        return target.trustsClient() ? x.connection().direct() : x.connection();
    }

    /// Writes the fields that tell the upstream who the client is. Those of a trusted client stay
    /// before them, because a list is extended at its end (RFC 7239 §4).
    private void forwarded(
            ByteBuffer into, Fields fields, ConnectionFacts client, byte[] authority) {
        boolean secure = client.secure();
        boolean plainHost = isToken(authority);
        if (writes(FieldName.FORWARDED)) {
            into.put(FORWARDED);
            address(into, client.peer(), true);
            if (authority.length > 0) {
                put(into, plainHost ? ";host=" : ";host=\"");
                into.put(authority);
                put(into, plainHost ? "" : "\"");
            }
            put(into, secure ? ";proto=https\r\n" : ";proto=http\r\n");
        }
        if (writes(FieldName.X_FORWARDED_FOR)) {
            into.put(FOR);
            address(into, client.peer(), false);
            into.put(CRLF);
        }
        boolean trusted = target.trustsClient();
        if (authority.length > 0
                && !(trusted && fields.contains(FieldName.X_FORWARDED_HOST))
                && writes(FieldName.X_FORWARDED_HOST)) {
            into.put(FORWARDED_HOST).put(authority).put(CRLF);
        }
        if (!(trusted && fields.contains(FieldName.X_FORWARDED_PROTO))
                && writes(FieldName.X_FORWARDED_PROTO)) {
            into.put(FORWARDED_PROTO);
            put(into, secure ? "https\r\n" : "http\r\n");
        }
    }

    /// Writes the address of a client, or `unknown`.
    static void address(ByteBuffer into, SocketAddress peer, boolean quoted) {
        @Nullable InetAddress ip =
                peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (ip == null) {
            put(into, "unknown"); // a Unix-domain socket (RFC 7239 §6.2)
            return;
        }
        if (ip instanceof Inet6Address) {
            String text = ip.getHostAddress();
            int scope = text.indexOf('%');
            put(into, quoted ? "\"[" : "");
            put(into, scope < 0 ? text : text.substring(0, scope));
            put(into, quoted ? "]\"" : "");
            return;
        }
        byte[] four = ip.getAddress();
        for (int i = 0; i < four.length; i++) {
            if (i > 0) {
                into.put((byte) '.');
            }
            number(into, four[i] & 0xff);
        }
    }

    private static void number(ByteBuffer into, int upTo255) {
        if (upTo255 >= 100) {
            into.put((byte) ('0' + upTo255 / 100));
        }
        if (upTo255 >= 10) {
            into.put((byte) ('0' + upTo255 / 10 % 10));
        }
        into.put((byte) ('0' + upTo255 % 10));
    }

    /// Returns the host for a request of HTTP/1.0 that names none: the address at which it arrived
    /// (RFC 9112 §3.3). Some upstreams refuse an empty Host.
    private static byte[] local(EngineExchange x) {
        if (!(x.connection().local() instanceof InetSocketAddress inet)) {
            return LOCALHOST;
        }
        String ip = inet.getAddress().getHostAddress();
        int scope = ip.indexOf('%');
        String bare = scope < 0 ? ip : ip.substring(0, scope);
        return bytes((bare.indexOf(':') < 0 ? bare : "[" + bare + "]") + ":" + inet.getPort());
    }

    private static byte[] authority(RequestHead head) {
        return Arrays.copyOfRange(head.fields().buffer(), head.authorityFrom(), head.authorityTo());
    }

    private static boolean isToken(byte[] bytes) {
        for (byte b : bytes) {
            if (!ByteRules.token(b)) {
                return false;
            }
        }
        return bytes.length > 0;
    }

    private static boolean takesTrailers(Fields fields) {
        int te = fields.indexOf(FieldName.TE, 0);
        return te >= 0 && HopFields.hasMember(fields, te, "trailers");
    }

    /// Writes a text of ASCII.
    static void put(ByteBuffer into, String text) {
        for (int i = 0; i < text.length(); i++) {
            into.put((byte) text.charAt(i));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
