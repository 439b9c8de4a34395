package dev.serval.gateway.cgi;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.Target;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes the variables that describe a request (RFC 3875 §4.1) and are the same for every
/// protocol. The caller adds those that depend on the mount: SCRIPT_NAME, PATH_INFO,
/// SCRIPT_FILENAME, PATH_TRANSLATED and DOCUMENT_ROOT. Stateless.
///
/// Some fields of the request get no variable:
///
/// - `Proxy`, because HTTP_PROXY would redirect an application's own requests ("httpoxy");
/// - a name with `_`, because it would equal that of another field with `-`;
/// - Forwarded, `X-Forwarded-…` and `X-Real-IP`, unless a trusted proxy has set them: REMOTE_ADDR,
///   SERVER_NAME and HTTPS tell what is known of the client;
/// - a name with another sign than letters, digits and `-`, for the same reason;
/// - `Transfer-Encoding`, because the application gets the content without it;
/// - `Content-Length` and `Content-Type`, which have variables of their own (RFC 3875 §4.1.18);
/// - an unknown name of more than [#NAME_MAX_BYTES] bytes.
public final class RequestVariables {
    /// The longest name of a field that becomes a variable.
    public static final int NAME_MAX_BYTES = 256;

    private static final String[] KNOWN = known(); // the variables of known names, by id
    private static final String PROXY = "proxy";
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    private RequestVariables() {}

    private static String[] known() {
        String[] names = new String[FieldName.count()];
        for (int id = 0; id < names.length; id++) {
            String field = FieldName.byId(id).text();
            names[id] = "HTTP_" + field.toUpperCase(Locale.ROOT).replace('-', '_');
        }
        return names;
    }

    /// Appends the variables. CONTENT_LENGTH is the first, as SCGI requires.
    ///
    /// @param contentLength the true length of the content in bytes, 0 if there is none
    public static void write(
            VariableBuffer out, RequestHead head, ConnectionFacts facts, long contentLength) {
        out.begin("CONTENT_LENGTH");
        out.put(contentLength).end();
        Fields fields = head.fields();
        int type = fields.indexOf(FieldName.CONTENT_TYPE, 0);
        out.begin("CONTENT_TYPE");
        if (type >= 0) {
            out.put(fields.buffer(), fields.valueAt(type), fields.valueEnd(type));
        }
        out.end();
        out.add("GATEWAY_INTERFACE", "CGI/1.1");
        out.add("SERVER_SOFTWARE", "Serval");
        out.add("SERVER_PROTOCOL", head.version().text());
        out.add("REQUEST_METHOD", head.methodText());
        target(out, head);
        out.add("REQUEST_SCHEME", facts.secure() ? "https" : "http");
        if (facts.secure()) {
            out.add("HTTPS", "on");
        }
        @Nullable String user = head.user();
        if (user != null) {
            out.add("AUTH_TYPE", "Basic");
            out.add("REMOTE_USER", user.getBytes(StandardCharsets.UTF_8));
        }
        addresses(out, head, facts);
        fields(out, head, isTold(facts));
    }

    private static void target(VariableBuffer out, RequestHead head) {
        Target now = head.target();
        int query = now.queryFrom();
        out.begin("QUERY_STRING");
        if (query >= 0) {
            out.put(now.buffer(), query, now.originTo());
        }
        out.end();
        Target target = head.received().target(); // front controllers read what the client sent
        byte[] bytes = target.buffer();
        out.begin("REQUEST_URI");
        int from = target.originFrom();
        if (from == target.originTo() || bytes[from] == '?') {
            out.put("/"); // an absolute form without a path
        }
        out.put(bytes, from, target.originTo()).end();
    }

    private static void addresses(VariableBuffer out, RequestHead head, ConnectionFacts facts) {
        out.begin("REMOTE_ADDR");
        put(out, facts.peer());
        out.end();
        out.begin("REMOTE_PORT");
        out.put(facts.peer() instanceof InetSocketAddress inet ? inet.getPort() : 0);
        out.end();
        out.begin("SERVER_ADDR");
        put(out, facts.local());
        out.end();
        String authority = facts.authority(head);
        int end = hostEnd(authority);
        serverPort(out, facts, authority, end);
        out.begin("SERVER_NAME");
        if (end > 0) {
            out.put(authority.substring(0, end));
        } else {
            put(out, facts.local());
        }
        out.end();
    }

    /// Returns the end of the host in `host[:port]`. An IPv6 address keeps its brackets.
    private static int hostEnd(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon < 0 || authority.indexOf(']', colon) >= 0 ? authority.length() : colon;
    }

    /// Writes the port that the client has asked: that of the listener, or behind a trusted proxy the
    /// one that belongs to SERVER_NAME, because both make the URL of a script (RFC 3875 §3.3).
    private static void serverPort(
            VariableBuffer out, ConnectionFacts facts, String authority, int hostEnd) {
        out.begin("SERVER_PORT");
        boolean told = isTold(facts);
        if (told && hostEnd + 1 < authority.length()) {
            out.put(authority.substring(hostEnd + 1));
        } else if (!told && facts.local() instanceof InetSocketAddress inet) {
            out.put(inet.getPort());
        } else {
            out.put(facts.secure() ? HTTPS_PORT : HTTP_PORT);
        }
        out.end();
    }

    /// Writes the IP address; nothing for a Unix-domain socket.
    private static void put(VariableBuffer out, SocketAddress address) {
        @Nullable InetAddress ip =
                address instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (ip instanceof Inet4Address) {
            byte[] four = ip.getAddress();
            for (int i = 0; i < four.length; i++) {
                if (i > 0) {
                    out.put(".");
                }
                out.put(Byte.toUnsignedLong(four[i]));
            }
        } else if (ip != null) {
            String text = ip.getHostAddress();
            int scope = text.indexOf('%');
            out.put(scope < 0 ? text : text.substring(0, scope));
        }
    }

    /// Returns whether a trusted proxy tells the facts.
    private static boolean isTold(ConnectionFacts facts) {
        return !facts.equals(facts.direct());
    }

    /// @param told whether a trusted proxy has set the fields that tell who its client is
    private static void fields(VariableBuffer out, RequestHead head, boolean told) {
        Fields fields = head.fields();
        @Nullable String named = head.target().authority();
        SameNames same = SameNames.of(fields);
        for (int i = 0; i < fields.size(); i++) {
            boolean passed = isPassed(fields, i) && (told || !ForwardingFields.has(fields, i));
            if (!passed || !same.isFirst(i)) {
                continue;
            }
            begin(out, fields, i);
            if (named != null && fields.id(i) == FieldName.HOST.id()) {
                out.put(named); // RFC 9112 §3.2.2: it replaces the Host field
            } else {
                values(out, fields, i, same);
            }
            out.end();
        }
    }

    private static void begin(VariableBuffer out, Fields fields, int i) {
        int id = fields.id(i);
        if (id >= 0) {
            out.begin(KNOWN[id]);
        } else {
            out.beginField(fields.buffer(), fields.nameAt(i), fields.nameEnd(i));
        }
    }

    /// Joins the values of all fields with the name of field `first` (RFC 9110 §5.3; for Cookie
    /// RFC 9113 §8.2.3).
    private static void values(VariableBuffer out, Fields fields, int first, SameNames same) {
        String separator = fields.id(first) == FieldName.COOKIE.id() ? "; " : ", ";
        out.put(fields.buffer(), fields.valueAt(first), fields.valueEnd(first));
        for (int i = same.next(first); i >= 0; i = same.next(i)) {
            out.put(separator).put(fields.buffer(), fields.valueAt(i), fields.valueEnd(i));
        }
    }

    private static boolean isPassed(Fields fields, int i) {
        int id = fields.id(i);
        if (id >= 0) {
            return id != FieldName.TRANSFER_ENCODING.id()
                    && id != FieldName.CONTENT_LENGTH.id()
                    && id != FieldName.CONTENT_TYPE.id();
        }
        byte[] bytes = fields.buffer();
        int end = fields.nameEnd(i);
        int length = end - fields.nameAt(i);
        boolean proxy = length == PROXY.length();
        for (int at = fields.nameAt(i); at < end; at++) {
            if (bytes[at] != '-' && !ForwardingFields.isAlphanumeric(bytes[at])) {
                return false; // CGI gateways write _ in its place
            }
            int place = at - fields.nameAt(i);
            proxy = proxy && (bytes[at] | 0x20) == PROXY.charAt(place);
        }
        return !proxy && length <= NAME_MAX_BYTES;
    }
}
