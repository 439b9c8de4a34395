package dev.serval.exchange;

import dev.serval.policy.Counter;

/// Takes what parts of the engine and the gateway know about the way of an exchange, for access logs
/// and metrics. Called on the loop, while the exchange runs.
public interface ExchangeNotes {
    /// Takes no notes.
    ExchangeNotes NONE =
            new ExchangeNotes() {
                @Override
                public void responds() {}

                @Override
                public void waits() {}

                @Override
                public void waited() {}

                @Override
                public void asks(String upstream) {}

                @Override
                public void leftUpstream() {}

                @Override
                public void user(String name) {}

                @Override
                public void refused(Counter reason) {}

                @Override
                public boolean isRefused() {
                    return false;
                }
            };

    /// Notes that the head of the response is sent now.
    void responds();

    /// Notes that the exchange waits for a connection to an upstream from now on.
    void waits();

    /// Notes that the exchange waits no more, because it has a connection or is refused.
    void waited();

    /// Notes that the request is sent to an upstream or a peer now.
    ///
    /// @param upstream its address or name
    void asks(String upstream);

    /// Notes that the upstream's answer is complete, or that it has failed.
    void leftUpstream();

    /// Notes who sends the request, as the application knows.
    void user(String name);

    /// Notes that the server itself refuses the request because of a limit or its load, and counts it.
    /// So the answer is no error of the application.
    ///
    /// @param reason a counter of refusals
    void refused(Counter reason);

    /// Returns whether the server itself has refused the request.
    boolean isRefused();
}
