package dev.serval.loop;

/// Application code that a loop carries at the end of each turn, after its own work. Owned by the
/// loop.
public interface LoopApplication {
    /// The application of a loop that carries none.
    LoopApplication NONE =
            new LoopApplication() {
                @Override
                public boolean hasReady() {
                    return false;
                }

                @Override
                public boolean hasEnough() {
                    return false;
                }

                @Override
                public boolean carryReady() {
                    return true;
                }

                @Override
                public void leave() {}
            };

    /// Returns whether something is ready to run, so that the loop must not sleep.
    boolean hasReady();

    /// Returns whether so much is ready that it should run before the loop acts on more sockets.
    boolean hasEnough();

    /// Notes that the loop has done its own work of this turn. Never throws.
    default void turned() {}

    /// Runs what is ready, for a bounded time. Another thread may take the loop over meanwhile.
    ///
    /// @return whether the calling thread still owns the loop; if not, it must not touch the loop
    boolean carryReady();

    /// Moves work in progress elsewhere, because the loop ends.
    void leave();
}
