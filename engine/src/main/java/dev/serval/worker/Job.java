package dev.serval.worker;

import org.jspecify.annotations.Nullable;

/// What a [Worker] does, and who hears of it.
public interface Job {
    /// The work: application code, which may block. On the Worker.
    ///
    /// @throws Exception told to [#ended]
    void run() throws Exception;

    /// The work is over, or could not be started. On the loop, once.
    ///
    /// @param thrown what it ended with; null where it returned
    void ended(@Nullable Throwable thrown);

    /// Whether it is better carried by the pool than by the loop. On the loop, before the start.
    boolean prefersPool();

    /// The loop carried a part of it, from one time it could not go on to the next.
    void carried();

    /// The loop was taken from it, since it kept the loop too long. Called by the watchdog while
    /// nobody owns the loop, so what the loop owns may be written.
    void preempted();

    /// What it is, for thread dumps: "GET /x, connection 17". On the loop.
    String name();
}
