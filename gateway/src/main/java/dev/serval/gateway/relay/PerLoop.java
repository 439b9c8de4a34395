package dev.serval.gateway.relay;

import dev.serval.loop.EventLoop;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One object for each event loop, such as a buffer that only one thread may use at a time. Each
/// loop creates its own when it first needs it.
///
/// @param <T> the type of the objects
public final class PerLoop<T> {
    private final Supplier<T> made;
    private volatile @Nullable Object[] known = {}; // by loop; grown under this object's lock

    /// Creates it without objects.
    ///
    /// @param made creates the object of a loop
    public PerLoop(Supplier<T> made) {
        this.made = made;
    }

    /// Returns the object of this loop. Called on that loop.
    @SuppressWarnings("unchecked") // only add stores objects
    public T at(EventLoop loop) {
        @Nullable Object[] present = known;
        int index = loop.index();
        @Nullable Object one = index < present.length ? present[index] : null;
        return one != null ? (T) one : add(index);
    }

    private synchronized T add(int index) {
        @Nullable Object[] more = Arrays.copyOf(known, Math.max(known.length, index + 1));
        T one = made.get();
        more[index] = one;
        known = more;
        return one;
    }
}
