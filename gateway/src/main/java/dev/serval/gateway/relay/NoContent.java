package dev.serval.gateway.relay;

/// The pump of a request without content: there is nothing to send, and all of it was sent.
public enum NoContent implements Pump {
    /// The only one.
    NONE;

    @Override
    public void start() {}

    @Override
    public void drained() {}

    @Override
    public void stop() {}

    @Override
    public boolean isSent() {
        return true;
    }

    @Override
    public boolean waitsForClient() {
        return false;
    }
}
