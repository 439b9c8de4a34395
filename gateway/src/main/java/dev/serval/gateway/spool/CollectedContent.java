package dev.serval.gateway.spool;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Source;
import dev.serval.net.Output;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Collects the content of a request before a peer is asked for, so that a slow client holds no
/// peer, and the length of chunked content is known. Order of calls: [#start]; after its callback
/// [#length], and [#part] or [#writeTo]; [#free] at any time. Owned by the loop of the exchange.
///
/// The engine's limit for content applies: above it the engine answers with 413, and the callback
/// never runs.
@SuppressWarnings("exports") // only the gateway and its protocols use it
public final class CollectedContent {
    /// How collecting ends.
    public enum Outcome {
        /// All content is here.
        WHOLE,
        /// The content is longer than the caller allows.
        TOO_LARGE,
        /// The quota of the files is used up.
        NO_SPACE,
        /// The file could not be written.
        NOT_STORED
    }

    private final EngineExchange exchange;
    private final Spool spool;
    private final long maxBytes;
    private final Consumer<Outcome> then;
    private boolean free;

    /// Creates a content of which nothing was read.
    ///
    /// @param spool empty
    /// @param maxBytes the longest content; `Long.MAX_VALUE` for the engine's limit alone
    /// @param then runs once, in [#start] or later, unless the content is freed or broken before
    public CollectedContent(
            EngineExchange exchange, Spool spool, long maxBytes, Consumer<Outcome> then) {
        this.exchange = exchange;
        this.spool = spool;
        this.maxBytes = maxBytes;
        this.then = then;
    }

    /// Starts to read.
    public void start() {
        read();
    }

    /// Returns the number of bytes.
    public long length() {
        return spool.length();
    }

    /// Returns the part that begins at byte `from`.
    public Body part(long from, int maxBytes) {
        return spool.part(from, maxBytes);
    }

    /// Appends all to a connection.
    public void writeTo(Output out) {
        spool.writeTo(out);
    }

    /// Gives memory and file back, once. Parts that are being sent keep them until they are sent.
    public void free() {
        if (!free) {
            free = true;
            spool.free();
        }
    }

    private void read() {
        while (!free) {
            if (spool.isFull()) {
                store();
                return;
            }
            int n = exchange.content().read(spool.room());
            if (n == 0) {
                exchange.content().onReadable(this::read);
                return;
            }
            if (n == Source.END) {
                then.accept(Outcome.WHOLE);
                return;
            }
            if (n == Source.FAILED) { // the engine answers, and tells the request of it
                return;
            }
            if (spool.length() > maxBytes) {
                then.accept(Outcome.TOO_LARGE);
                return;
            }
        }
    }

    private void store() {
        if (spool.reserve()) {
            exchange.run(ExecutorKind.DISK, new SpoolFlush(spool, this::stored));
        } else {
            then.accept(Outcome.NO_SPACE);
        }
    }

    private void stored(@Nullable IOException failure) {
        if (free) {
            return;
        }
        if (failure != null) {
            then.accept(Outcome.NOT_STORED);
        } else {
            read();
        }
    }
}
