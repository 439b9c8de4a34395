package dev.serval.conn;

import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Handlers for tests of the contract. Each notes its callbacks at the server.
final class ContractHandlers {
    /// Length of one piece of content in bytes.
    static final int PIECE = 16 << 10;

    /// A head of unknown content length.
    static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private static final int PERIOD = 251;

    private ContractHandlers() {}

    static ResponseHead ok(long length) {
        return new ResponseHead(Status.OK, Fields.EMPTY, length);
    }

    /// Answers with that text.
    static void say(Exchange x, String text) {
        Answers.say(x, text);
    }

    /// Notes an abort.
    static void watch(ContractServer server, Exchange x) {
        x.onAbort(() -> server.note("aborted"));
    }

    /// Sends back what it reads, never more than there is room for.
    static void echo(ContractServer server, Exchange x) {
        watch(server, x);
        x.response().head(OPEN);
        echoOn(server, x);
    }

    private static void echoOn(ContractServer server, Exchange x) {
        long room = 1;
        while (room > 0) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            int n = x.content().read(piece);
            if (n == 0) {
                x.content().onReadable(() -> echoOn(server, x));
                return;
            }
            if (n < 0) {
                server.note(n == Source.END ? "end" : "failed");
                if (n == Source.END) {
                    x.response().end(x.content().trailers());
                } else {
                    x.response().abort(Fault.PEER_GONE);
                }
                return;
            }
            room = x.response().write(server.lend(piece.flip()));
        }
        x.response().onWritable(() -> echoOn(server, x));
    }

    /// Reads all content, then calls `then`.
    ///
    /// @param then receives the number of bytes read; not called if reading fails
    static void count(ContractServer server, Exchange x, Consumer<Long> then) {
        countOn(server, x, 0, then);
    }

    private static void countOn(
            ContractServer server, Exchange x, long before, Consumer<Long> then) {
        ByteBuffer into = ByteBuffer.allocate(PIECE);
        long count = before;
        int n = x.content().read(into);
        while (n > 0) {
            count += n;
            server.note("read " + count);
            n = x.content().read(into.clear());
        }
        long sum = count;
        switch (n) {
            case 0 -> {
                x.content().onReadable(() -> countOn(server, x, sum, then));
                server.note("waits to read");
            }
            case Source.END -> then.accept(sum);
            default -> server.note("failed");
        }
    }

    /// Sends `bytes` bytes of the pattern, never more than there is room for.
    static void pattern(ContractServer server, Exchange x, long bytes) {
        watch(server, x);
        x.response().head(ok(bytes));
        patternOn(server, x, 0, bytes);
    }

    private static void patternOn(ContractServer server, Exchange x, long from, long to) {
        long at = from;
        long room = 1;
        while (room > 0 && at < to) {
            int n = (int) Math.min(PIECE, to - at);
            room = x.response().write(server.lend(piece(at, n)));
            at += n;
        }
        long next = at;
        if (at == to) {
            x.response().end(Fields.EMPTY);
            server.note("written");
        } else {
            x.response()
                    .onWritable(() -> {
                        server.note("room");
                        patternOn(server, x, next, to);
                    });
            server.note("waits to write");
        }
    }

    /// Returns a piece of the pattern.
    static ByteBuffer piece(long at, int bytes) {
        byte[] piece = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            piece[i] = (byte) ((at + i) % PERIOD);
        }
        return ByteBuffer.wrap(piece);
    }

    /// Returns the head that opens a tunnel, as the client has asked for it.
    static ResponseHead switching(Exchange x) {
        return switch (x.tunnel()) {
            case TunnelRequest.ByUpgrade(String protocols) ->
                    new ResponseHead(
                            Status.SWITCHING_PROTOCOLS,
                            new Fields().add("Upgrade", protocols),
                            ResponseHead.UNKNOWN_LENGTH);
            case TunnelRequest.ByConnect _ ->
                    new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);
            case TunnelRequest.None _ ->
                    throw new AssertionError("The client has asked for no tunnel");
        };
    }

    /// Opens a tunnel and sends back all received bytes.
    static void tunnel(ContractServer server, Exchange x) {
        watch(server, x);
        tunnelOn(server, x.upgrade(switching(x)));
    }

    private static void tunnelOn(ContractServer server, Duplex duplex) {
        long room = 1;
        while (room > 0) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            int n = duplex.read(piece);
            if (n == 0) {
                duplex.onReadable(() -> tunnelOn(server, duplex));
                return;
            }
            if (n < 0) {
                server.note(n == Source.END ? "end" : "failed");
                duplex.end();
                return;
            }
            room = duplex.write(server.lend(piece.flip()));
        }
        duplex.onWritable(() -> tunnelOn(server, duplex));
    }

    /// Returns a handler that answers with the request's target.
    static Handler target() {
        return x -> say(x, x.request().target().text());
    }
}
