package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.net.NetLoop;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Sends requests to applications that have dialled in. It stands first in the chain of every mount
/// and passes on what no application serves, or what the mount serves by a longer prefix.
final class LrwpHandler implements Handler {
    private static final LrwpLoop[] NONE = {};

    private final LrwpSettings settings;
    private final LrwpRegistry registry;
    private final SpoolQuota quota;
    private final AtomicReference<@Nullable LrwpLoop[]> loops = new AtomicReference<>(NONE);

    LrwpHandler(LrwpSettings settings, LrwpRegistry registry, SpoolQuota quota) {
        this.settings = settings;
        this.registry = registry;
        this.quota = quota;
    }

    @Override
    public void handle(Exchange x) {
        handle(x, false);
    }

    private void handle(Exchange x, boolean guarded) {
        @Nullable LrwpApplication application = registry.routes().find(x.request(), guarded);
        if (application == null || pathLength(application) < x.route().prefixLength()) {
            x.pass();
            return;
        }
        EngineExchange exchange = EngineExchange.of(x);
        new LrwpRequest(at(NetLoop.of(exchange.loop())), exchange, application).begin();
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    /// Returns the handler for guarded mounts, which sends requests only to applications that a
    /// rule names.
    Handler guarded() {
        return new Guarded(this);
    }

    private record Guarded(LrwpHandler all) implements Handler {
        @Override
        public void handle(Exchange x) {
            all.handle(x, true);
        }

        @Override
        public boolean takesOtherMethods() {
            return true;
        }
    }

    private static int pathLength(LrwpApplication application) {
        return application.isSuffix() ? 0 : application.prefix().length;
    }

    /// Returns the part of a loop. Only that loop creates it.
    private LrwpLoop at(NetLoop net) {
        int index = net.loop().index();
        @Nullable LrwpLoop[] known = loops.get();
        @Nullable LrwpLoop present = index < known.length ? known[index] : null;
        return present != null ? present : added(index);
    }

    private LrwpLoop added(int index) {
        LrwpLoop made = new LrwpLoop(settings, quota);
        while (true) {
            @Nullable LrwpLoop[] known = loops.get();
            @Nullable LrwpLoop[] more = Arrays.copyOf(known, Math.max(known.length, index + 1));
            more[index] = made;
            if (loops.compareAndSet(known, more)) {
                return made;
            }
        }
    }
}
