package dev.serval.net;

/// The driver of a connection that has none: before its factory has created one, after the
/// connection has given up its socket, and if a factory has refused the connection at once. It does
/// nothing.
public enum NoDriver implements Driver {
    /// The only one.
    NONE;

    @Override
    public void readable() {}

    @Override
    public void blocked() {}

    @Override
    public void drained() {}

    @Override
    public void closed(boolean byPeer) {}

    @Override
    public void drain() {}
}
