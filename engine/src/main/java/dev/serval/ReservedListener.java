package dev.serval;

import java.io.IOException;
import java.net.SocketAddress;

/// A listener that has its address but does not accept yet ([ListenerChanges#reserve]). Either [#open] lets it
/// accept, or [#close] gives the address up. Used by one thread, which is none of an event loop.
public final class ReservedListener implements AutoCloseable {
    /// What becomes of it.
    interface Use {
        void open() throws IOException;

        void giveUp();
    }

    private final SocketAddress address;
    private final Use use;
    private boolean used;

    ReservedListener(SocketAddress address, Use use) {
        this.address = address;
        this.use = use;
    }

    /// Returns its address, with its actual port.
    public SocketAddress address() {
        return address;
    }

    /// Begins to accept. Called once.
    ///
    /// @throws IOException if the system refuses it, or an event loop does not answer; then the address
    ///     is given up
    /// @throws IllegalStateException if the server has stopped
    public void open() throws IOException {
        use.open();
        used = true;
    }

    /// Gives the address up, unless it is open.
    @Override
    public void close() {
        if (!used) {
            used = true;
            use.giveUp();
        }
    }
}
