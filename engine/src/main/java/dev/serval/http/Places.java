package dev.serval.http;

/// Runs work at places other than the loop. Any thread.
@FunctionalInterface
public interface Places {
    /// Runs `work` at `place` some time from now.
    ///
    /// @return whether there is room for it; if not, it will not run
    boolean submit(Place place, Runnable work);
}
