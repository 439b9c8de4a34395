package dev.serval.net;

/// Receives the readiness of a [Transport]. A connection implements it, and so does a layer between
/// a transport and its connection, such as TLS. Called on the loop, once a turn.
public interface Readiness {
    /// Ignores all events. For a transport until its connection attaches itself.
    Readiness NONE =
            new Readiness() {
                @Override
                public void ready(boolean readable, boolean writable) {}

                @Override
                public void broken() {}
            };

    /// Handles a transport that can be read, or written, or both.
    void ready(boolean readable, boolean writable);

    /// Handles a lost peer that was noticed without a read or a write.
    void broken();
}
