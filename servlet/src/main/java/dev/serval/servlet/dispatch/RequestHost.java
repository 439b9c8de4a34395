package dev.serval.servlet.dispatch;

import java.util.concurrent.Future;
import java.util.function.Supplier;

/// What a `RequestRun` needs of the server. Any thread.
public interface RequestHost {
    /// Returns what makes identifiers of requests, unique in the server.
    Supplier<String> requestIds();

    /// Returns whether clients may see why a request failed.
    boolean showsFaults();

    /// Records that a request enters the application.
    ///
    /// @return whether the application still runs
    boolean enter();

    /// Records that a request has left the application.
    void leave();

    /// Counts a request that failed in the application and got an answer all the same.
    void countFault();

    /// Remembers a connection that was upgraded, and closes it when the application stops.
    ///
    /// @return whether the application still runs; if not, the caller must close it
    boolean hold(AutoCloseable connection);

    /// Forgets a connection that was upgraded.
    void release(AutoCloseable connection);

    /// A request that waits for an event, without a container thread. Any thread.
    interface Waiting {
        /// Ends the request as its timeout does, so that its listeners and its client learn of it.
        void timeOut();

        /// Ends the exchange if the request still waits after its timeout.
        void abort();
    }

    /// Remembers a request that waits, and ends it when the application waits for its requests no
    /// longer.
    ///
    /// @return whether the application still waits; if not, the caller must end the request
    boolean hold(Waiting request);

    /// Forgets a request that has waited.
    void release(Waiting request);

    /// Returns how long a container thread may work on a request without leaving it; 0 if there
    /// is no limit.
    long timeLimitMillis();

    /// Runs `task` after some time, on a thread that must not block.
    Future<?> timer(Runnable task, long afterMillis);
}
