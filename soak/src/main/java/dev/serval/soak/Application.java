package dev.serval.soak;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.BlockingHandler;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.soak.war.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Implements the application of the soak. `/workload/KIND/SEED` does what the [Kind] says, then
/// reads its request again and answers from it. Any thread.
///
/// What the engine has learned of a kind is dropped at intervals, so that all stages repeat: pool,
/// loop, preemptions, pool.
final class Application implements Handler {
    private static final int REQUESTS_OF_A_MAPPING = 160;
    private static final int PREFIX = "/workload/".length();

    private final Workload workload;
    private final Map<Kind, Learned> learned = new EnumMap<>(Kind.class);

    private static final class Learned {
        private final String name;
        private final AtomicInteger requests = new AtomicInteger();
        private volatile Mapping mapping;

        Learned(String name) {
            this.name = name;
            this.mapping = new Mapping(name);
        }

        Mapping next() {
            if (requests.incrementAndGet() % REQUESTS_OF_A_MAPPING == 0) {
                mapping = new Mapping(name);
            }
            return mapping;
        }
    }

    Application(Workload workload) {
        this.workload = workload;
        for (Kind kind : Kind.values()) {
            learned.put(kind, new Learned(kind.name()));
        }
    }

    @Override
    public void handle(Exchange x) {
        @Nullable Learned known = learned.get(kind(x.request().target().text()));
        if (known == null) {
            throw new IllegalStateException("Unknown kind of request");
        }
        BlockingHandler.on(known.next(), this::answer).handle(x);
    }

    private void answer(BlockingExchange x) throws Exception {
        String asked = x.request().target().text();
        Kind kind = kind(asked);
        switch (kind) {
            case ECHO -> echo(x);
            case DOWNLOAD -> send(x, kind.answer(seed(asked)), 7001);
            case UPLOAD -> send(x, Pattern.bytes(sum(x.input()), 100), 100);
            default -> {
                workload.act(kind, seed(asked));
                String again = x.request().target().text();
                send(x, kind(again).answer(seed(again)), 4096);
            }
        }
    }

    private static void echo(BlockingExchange x) throws IOException {
        x.head(new ResponseHead(Status.OK, Fields.EMPTY, x.request().contentLength()));
        try (InputStream in = x.input();
                OutputStream out = x.output()) {
            in.transferTo(out);
        }
    }

    private static long sum(InputStream in) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] bytes = new byte[5000];
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
            crc.update(bytes, 0, n);
        }
        return crc.getValue();
    }

    private static void send(BlockingExchange x, byte[] content, int piece) throws IOException {
        x.head(new ResponseHead(Status.OK, Fields.EMPTY, content.length));
        try (OutputStream out = x.output()) {
            for (int at = 0; at < content.length; at += piece) {
                out.write(content, at, Math.min(piece, content.length - at));
            }
        }
    }

    private static Kind kind(String target) {
        return Kind.valueOf(target.substring(PREFIX, target.indexOf('/', PREFIX)));
    }

    private static long seed(String target) {
        return Long.parseLong(target.substring(target.indexOf('/', PREFIX) + 1));
    }
}
