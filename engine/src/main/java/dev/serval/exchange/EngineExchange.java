package dev.serval.exchange;

import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.Task;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/// An exchange as the engine's own handlers see it: routers, files, blocking streams. Applications
/// use [Exchange].
public interface EngineExchange extends Exchange {
    /// The engine's view of `x`.
    ///
    /// @throws IllegalArgumentException for an exchange that another program made
    static EngineExchange of(Exchange x) {
        if (x instanceof EngineExchange engine) {
            return engine;
        }
        throw new IllegalArgumentException(
                "This handler serves exchanges of the engine, not " + x.getClass().getName());
    }

    /// The turn's reading of the monotonic clock, in nanoseconds.
    long nowNanos();

    /// Enters a mount: its first Handler is called at once. Called by routers.
    void enter(Route route);

    /// As [#run] on [ExecutorKind#WORKER], for application code with a profile of its own: a servlet,
    /// for example.
    void run(Mapping mapping, Task task);

    /// As [#run], for a Handler that can answer without: if the executor has no capacity left, the
    /// refusal is counted, nothing else is done, and the Handler answers in another way at once.
    ///
    /// @return whether there is capacity; if so, the exchange is the task's as with [#run]
    /// @throws IllegalStateException for an executor that this server does not have
    boolean offer(ExecutorKind executor, Task task);

    /// Carries out what it is given on the loop, soon, and also after the exchange has ended. Call
    /// this on the loop; the executor may be used by any thread.
    Executor loop();

    /// Runs `work` at the instant `atNanos` (as [#nowNanos]) or soon after, whatever becomes of this
    /// exchange; not at all if the server stops before. It keeps no thread busy until then.
    void maintenance(Handler.Maintenance work, long atNanos);

    /// Lends a buffer of some KiB, empty, on the heap; to be given back by [#giveBack], also after
    /// the exchange has ended.
    ByteBuffer lend();

    /// Takes back what [#lend] returned; the caller may not use it any more.
    void giveBack(ByteBuffer lent);
}
