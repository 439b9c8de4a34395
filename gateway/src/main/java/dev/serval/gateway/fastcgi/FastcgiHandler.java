package dev.serval.gateway.fastcgi;

import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.file.PathCache;
import dev.serval.gateway.output.Description;
import dev.serval.gateway.output.OutputMount;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.gateway.spool.Collecting;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.PathPatterns;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends requests to a FastCGI server. With a root, only paths that lead to a script are sent; all
/// others are passed to the next handler of the chain, which usually serves files of the same root.
/// Without a root, all requests are sent.
///
/// What a path leads to is looked up on [ExecutorKind#DISK] and kept for a second, or as long as
/// the files beside the scripts are served without a look if that is less.
public final class FastcgiHandler implements Handler {
    /// With what the names of scripts end.
    public static final String SCRIPT_EXTENSION = ".php";

    private static final long LOOK_MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger(FastcgiHandler.class.getName());

    private final OutputMount mount;
    private final @Nullable ScriptLookup lookup;
    private final PathCache<Script> cache;

    /// Creates a handler. Reads the disk.
    ///
    /// @param pool connections to the FastCGI server
    /// @param files the files of a local root, which decide what links lead to; null without one
    /// @param denied paths below the mount that answer for no folder as its index
    /// @param sentFiles how the files are read that the application names
    /// @param collecting what content is collected before a connection is asked for
    /// @throws IOException if a folder of the target cannot be read
    public FastcgiHandler(
            PeerPool pool,
            FastcgiTarget target,
            @Nullable LocalFiles files,
            PathPatterns denied,
            FileOptions sentFiles,
            Collecting collecting)
            throws IOException {
        @Nullable Path root = target.root();
        this.lookup = root == null ? null : new ScriptLookup(root, target, files, denied);
        this.cache =
                new PathCache<>(
                        files == null
                                ? LOOK_MAX_AGE_NANOS
                                : Math.min(LOOK_MAX_AGE_NANOS, files.handler().maxAgeNanos()));
        @Nullable SentFiles sent = SentFiles.below(target.sendRoot(), sentFiles);
        FastcgiWire wire = FastcgiWire.of(target.keepsConnections());
        this.mount = new OutputMount(pool, wire, sent, collecting, target.variables());
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        @Nullable ScriptLookup scripts = lookup;
        if (scripts == null) {
            mount.forward(x, Description.WHOLE_MOUNT);
            return;
        }
        TargetPath path = x.request().target().path();
        int from = path.from() + x.route().prefixLength();
        @Nullable Script known = cache.find(path.buffer(), from, path.to(), x.nowNanos());
        if (known != null) {
            answer(x, known);
            return;
        }
        byte[] below = Arrays.copyOfRange(path.buffer(), from, path.to());
        long now = x.nowNanos();
        Task task =
                () -> {
                    try {
                        Script found = scripts.find(below);
                        cache.put(below, found, now);
                        return same -> answer(EngineExchange.of(same), found);
                    } catch (IOException e) {
                        LOG.log(Level.WARNING, "The disk failed while a script was looked up", e);
                        return FileHandler::busy;
                    }
                };
        x.run(ExecutorKind.DISK, task);
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    private void answer(EngineExchange x, Script script) {
        switch (script.kind()) {
            case SCRIPT -> mount.forward(x, script);
            case PASS -> x.pass();
            case HIDDEN ->
                    x.refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this path.");
        }
    }
}
