package dev.serval.net;

/// An open socket that has left one loop and waits for another: [Connection#giveUp] returns it and
/// [NetLoop#adopt] takes it. One thread at a time.
public interface LooseSocket {
    /// Returns its transport on another loop. Called once, on that loop.
    default Transport on(NetLoop net) {
        return net.network().adopt(this);
    }

    /// Closes a socket that no loop adopts.
    void close();
}
