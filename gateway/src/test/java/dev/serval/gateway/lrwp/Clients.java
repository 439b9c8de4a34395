package dev.serval.gateway.lrwp;

import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// What clients send in the tests of the agent, and what answers them if no peer does.
final class Clients {
    /// Answers `files`, in place of the files of a mount.
    static final Handler FILES =
            x ->
                    x.response()
                            .send(
                                    new ResponseHead(Status.OK, Fields.EMPTY, 5),
                                    Body.Bytes.of(Messages.bytes("files")));

    private Clients() {}

    static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: h.example:99\r\n\r\n";
    }

    static String post(String target, String body) {
        return "POST "
                + target
                + " HTTP/1.1\r\nHost: h\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body;
    }
}
