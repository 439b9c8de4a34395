package dev.serval.site;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Answers at the paths by which load balancers and supervisors ask for the state of the server, and
/// passes all other requests on. It compares bytes, because it sees every request. Immutable.
public final class StatePaths implements Handler {
    private static final Fields PLAIN =
            Fields.of(FieldName.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .addAll(Fields.of(FieldName.CACHE_CONTROL, "no-store"));
    private static final byte[] NONE = {};
    private static final byte[] READY = bytes("ready\n");
    private static final byte[] NOT_READY = bytes("not ready\n");
    private static final byte[] ALIVE = bytes("alive\n");

    private final Handler next;
    private final Readiness readiness;
    private final byte[] readyPath;
    private final byte[] healthPath;

    private StatePaths(Handler next, Readiness readiness, byte[] readyPath, byte[] healthPath) {
        this.next = next;
        this.readiness = readiness;
        this.readyPath = readyPath;
        this.healthPath = healthPath;
    }

    /// Returns `next` with these paths before it.
    ///
    /// @param ready answers 200 while the server wants requests, and otherwise 503; null for no path
    /// @param health answers 200; null for no path
    public static Handler before(
            Handler next, Readiness readiness, @Nullable String ready, @Nullable String health) {
        if (ready == null && health == null) {
            return next;
        }
        return new StatePaths(
                next,
                readiness,
                ready == null ? NONE : bytes(ready),
                health == null ? NONE : bytes(health));
    }

    @Override
    public boolean takesOtherMethods() {
        return next.takesOtherMethods();
    }

    @Override
    public boolean takesTrace() {
        return next.takesTrace();
    }

    @Override
    public Set<String> connectProtocols() {
        return next.connectProtocols();
    }

    @Override
    public void handle(Exchange x) {
        Method method = x.request().method();
        boolean reads = method == Method.GET || method == Method.HEAD;
        Target target = x.request().target();
        if (reads && is(target, readyPath)) {
            boolean ready = readiness.isReady();
            answer(x, ready ? Status.OK : Status.SERVICE_UNAVAILABLE, ready ? READY : NOT_READY);
        } else if (reads && is(target, healthPath)) {
            answer(x, Status.OK, ALIVE);
        } else {
            next.handle(x);
        }
    }

    private static void answer(Exchange x, Status status, byte[] text) {
        x.response().send(new ResponseHead(status, PLAIN, text.length), Body.Bytes.of(text));
    }

    private static boolean is(Target target, byte[] path) {
        int from = target.originFrom();
        int query = target.queryFrom();
        int to = query < 0 ? target.originTo() : query - 1;
        return path.length > 0
                && to - from == path.length
                && Arrays.equals(target.buffer(), from, to, path, 0, path.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
