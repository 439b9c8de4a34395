package dev.serval.loop;

/// Application code that a loop carries at the end of each turn, after its own work. Owned by the
/// loop.
public interface LoopApplication {
    /// A loop that carries none.
    LoopApplication NONE =
            new LoopApplication() {
                @Override
                public boolean hasReady() {
                    return false;
                }

                @Override
                public boolean carryReady() {
                    return true;
                }

                @Override
                public void leave() {}
            };

    /// Whether there is something to carry at once, so that the loop does not sleep.
    boolean hasReady();

    /// Runs what is ready, for a bounded time. Another thread may take the loop over meanwhile.
    ///
    /// @return whether the calling thread still owns the loop; if not, it must not touch the loop
    boolean carryReady();

    /// The loop ends: what is under way continues elsewhere.
    void leave();
}
