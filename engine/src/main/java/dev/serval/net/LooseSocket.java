package dev.serval.net;

/// An open socket that has left one loop and waits for another: [Connection#giveUp] returns it and
/// [NetLoop#adopt] takes it. One thread at a time.
public interface LooseSocket {
    /// Closes a socket that no loop adopts.
    void close();
}
