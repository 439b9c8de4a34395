package dev.serval.rule;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import java.nio.charset.StandardCharsets;

/// What the tests of rules share.
final class Rules {
    private Rules() {}

    /// Returns a server with one mount at a prefix.
    static MemoryServer at(String prefix, Handler... chain) {
        return of(RouteTable.builder().mount(prefix, chain));
    }

    /// Returns a server with one mount at `/` that has settings.
    static MemoryServer with(MountSettings settings, Handler... chain) {
        return of(RouteTable.builder().mount(RouteTable.DEFAULT_HOST, "/", settings, chain));
    }

    static MemoryServer of(RouteTable.Builder table) {
        return of(table, Limits.DEFAULT);
    }

    static MemoryServer of(RouteTable.Builder table, Limits limits) {
        return MemoryServer.of(new Router(table.build()), limits);
    }

    /// Returns a handler of every method that answers with a name, the mount and the target.
    static Handler says(String name) {
        return Handler.ofEveryMethod(x -> {
            String user = x.request().user() == null ? "" : " " + x.request().user();
            text(x, name + " " + x.request().target().text() + user);
        });
    }

    static void text(Exchange x, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        x.response()
                .send(
                        new ResponseHead(Status.OK, new Fields(), bytes.length),
                        Body.Bytes.of(bytes));
    }

    /// Returns the answer to a request of a new connection: its status line, fields and content.
    static String answer(MemoryServer server, String line, String... fields) {
        StringBuilder text = new StringBuilder(line).append(" HTTP/1.1\r\nHost: h.example:81\r\n");
        for (String field : fields) {
            text.append(field).append("\r\n");
        }
        return server.ask(server.connect(), text.append("\r\n").toString());
    }

    static String status(MemoryServer server, String line, String... fields) {
        String answer = answer(server, line, fields);
        return answer.isEmpty() ? "" : answer.split(" ", 3)[1];
    }

    static String content(MemoryServer server, String line, String... fields) {
        String answer = answer(server, line, fields);
        int end = answer.indexOf("\r\n\r\n");
        return end < 0 ? "" : answer.substring(end + 4);
    }
}
