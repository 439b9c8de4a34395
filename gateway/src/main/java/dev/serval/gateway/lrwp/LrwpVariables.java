package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.RequestVariables;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.handler.ConnectionFacts;
import dev.serval.http.RequestHead;
import dev.serval.http.TargetPath;

/// Writes the variables of an LRWP request: those of CGI, and those that applications written for
/// Xitami know. Stateless.
final class LrwpVariables {
    private LrwpVariables() {}

    /// Appends the variables and the NUL that ends them.
    ///
    /// @param contentLength the true length of the content in bytes
    static void write(
            VariableBuffer out, EngineExchange x, LrwpApplication application, long contentLength) {
        RequestHead head = x.request();
        RequestVariables.write(out, head, x.connection(), contentLength);
        TargetPath path = head.target().path();
        // A suffix names the script itself, so the whole path is its name (RFC 3875 §4.1.13).
        int end = application.isSuffix() ? path.to() : path.from() + application.prefix().length;
        out.begin("SCRIPT_NAME");
        out.put(path.buffer(), path.from(), end).end();
        out.begin("PATH_INFO");
        out.put(path.buffer(), end, path.to()).end();
        xitami(out, head, x.connection());
        out.putByte(0);
    }

    /// Appends what else Xitami gave. The variables that named folders of the server's machine there
    /// are empty: a peer serves no folder of the server, and may be on another machine.
    private static void xitami(VariableBuffer out, RequestHead head, ConnectionFacts facts) {
        boolean secure = facts.secure();
        out.begin("SERVER_URL");
        String authority = facts.authority(head);
        if (!authority.isEmpty()) {
            out.put(secure ? "https://" : "http://").put(authority);
        }
        out.end();
        out.add("SERVER_VERSION", ""); // not told, as in SERVER_SOFTWARE
        out.add("DOCUMENT_ROOT", "");
        out.add("PATH_TRANSLATED", "");
        out.add("CGI_ROOT", "");
        out.add("CGI_URL", "");
        out.add("SCRIPT_PATH", "");
        out.add("QUERY_METHOD", head.methodText());
        if (head.user() == null) {
            out.add("REMOTE_USER", "-"); // otherwise it is there already
        }
        out.add("SERVER_SECURITY", secure ? "SSL" : "-");
    }
}
