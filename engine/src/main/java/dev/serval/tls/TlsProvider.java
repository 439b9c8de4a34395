package dev.serval.tls;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;

/// Creates the TLS engines for the connections of a listener. Any thread.
@FunctionalInterface
public interface TlsProvider {
    /// Creates an engine for the server's side of a connection. It must give the work of a handshake
    /// that takes long to others ([SSLEngine#getDelegatedTask]), since a loop calls it. One that holds
    /// memory outside of the heap is a [Held].
    SSLEngine engine(SocketAddress peer);

    /// Returns what a handshake may agree on by ALPN besides the protocols of the listener, which come
    /// first.
    default List<String> furtherProtocols() {
        return List.of();
    }

    /// Looks whether what it serves has changed, such as its files, and uses it for connections that begin
    /// afterwards. A connection that causes such a look still gets what was there before. Blocks.
    ///
    /// @return whether there was something new to use
    default boolean look() {
        return false;
    }

    /// An engine that holds memory outside of the heap. It works on buffers there, while other engines
    /// are given buffers on the heap.
    interface Held {
        /// Frees that memory. Afterwards no method uses the engine. The loop calls this also while
        /// another thread does work of the handshake, and at most once.
        void free();
    }

    /// Makes the providers of a library of TLS. Any thread.
    interface Maker {
        /// Makes a provider of keys.
        ///
        /// @param refused takes the name for which there is no certificate yet, at each handshake
        /// @param settings the rest; their files of keys are not read
        /// @throws IOException if the library cannot use the keys, or the authorities of clients cannot
        ///     be read; the message says what is wrong and what would be right
        TlsProvider make(IssuedKeys keys, Consumer<String> refused, TlsSettings settings)
                throws IOException;
    }
}
