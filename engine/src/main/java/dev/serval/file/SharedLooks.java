package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The look-ups that are on their way to the disk. Exchanges of the same loop that need the same path
/// wait for one of them, so that a crowd that comes after a pause occupies one thread of
/// `ExecutorKind.DISK`, and not one for each request.
///
/// ```
///    begin ──▶ await* ──▶ end (result, dropped or failed) ──▶ all that wait go on, in a later turn
/// ```
///
/// Any loop and any thread of the executor; what is said of a look-up is said on its loop, but for
/// [Shared#end].
final class SharedLooks {
    /// A path on a loop.
    private record Place(Executor loop, ByteBuffer path) {}

    /// An exchange that waits.
    private static final class Waiting {
        private final EngineExchange x;
        private final Runnable then;
        private boolean aborted;

        Waiting(EngineExchange x, Runnable then) {
            this.x = x;
            this.then = then;
        }

        void goOn() {
            if (!aborted) {
                x.proceed(then);
            }
        }
    }

    private final Map<Place, Shared> underWay = new ConcurrentHashMap<>();

    /// One look-up.
    final class Shared {
        private final Place place;
        private final List<Waiting> waiting = new ArrayList<>();

        private Shared(Place place) {
            this.place = place;
        }

        /// Lets an exchange wait, and then runs `then`, unless it is aborted before.
        void await(EngineExchange x, Runnable then) {
            Waiting one = new Waiting(x, then);
            waiting.add(one);
            x.onAbort(() -> one.aborted = true);
        }

        /// Notes that the look-up has ended, or does not take place. Any thread.
        void end() {
            place.loop.execute(this::leave);
        }

        private void leave() {
            if (underWay.remove(place, this)) {
                waiting.forEach(Waiting::goOn);
            }
        }
    }

    /// Returns the look-up of a path on the exchange's loop, or null if there is none.
    @Nullable Shared find(EngineExchange x, byte[] path) {
        return underWay.get(place(x, path));
    }

    /// Begins a look-up of a path, for which there is none.
    Shared begin(EngineExchange x, byte[] path) {
        Shared shared = new Shared(place(x, path));
        underWay.put(shared.place, shared);
        return shared;
    }

    private static Place place(EngineExchange x, byte[] path) {
        return new Place(x.loop(), ByteBuffer.wrap(path));
    }
}
