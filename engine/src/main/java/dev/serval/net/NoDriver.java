package dev.serval.net;

/// The driver of a connection that has none: before its factory has created one, and after the
/// connection has given up its socket. It does nothing.
enum NoDriver implements Driver {
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
