package dev.serval.conn;

/// A protocol and its transport.
enum ContractMode {
    /// HTTP/1.1 in memory, with a clock that only the test moves.
    HTTP1_MEMORY(false, "memory"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_MEMORY(false, "memory", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_MEMORY(false, "memory", Layer.TLS),
    /// The toy protocol in memory, with the same clock.
    TOY_MEMORY(true, "memory"),
    /// HTTP/1.1 on sockets, with java.nio.
    HTTP1_NIO(false, "nio"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_NIO(false, "nio", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_NIO(false, "nio", Layer.TLS),
    /// The toy protocol on sockets, with java.nio.
    TOY_NIO(true, "nio"),
    /// HTTP/1.1 on sockets, with epoll.
    HTTP1_EPOLL(false, "epoll"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_EPOLL(false, "epoll", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_EPOLL(false, "epoll", Layer.TLS),
    /// The toy protocol on sockets, with epoll.
    TOY_EPOLL(true, "epoll"),
    /// The same over a transport that transforms every byte.
    TOY_MASKED_EPOLL(true, "epoll", Layer.MASK),
    /// The same over TLS.
    TOY_TLS_EPOLL(true, "epoll", Layer.TLS);

    /// What lies over the sockets.
    enum Layer {
        NONE,
        /// A [dev.serval.net.MaskedTransport].
        MASK,
        TLS
    }

    private final boolean toy;
    private final String transport;
    private final Layer layer;

    ContractMode(boolean toy, String transport) {
        this(toy, transport, Layer.NONE);
    }

    ContractMode(boolean toy, String transport, Layer layer) {
        this.toy = toy;
        this.transport = transport;
        this.layer = layer;
    }

    /// Returns what lies over the sockets.
    Layer layer() {
        return layer;
    }

    /// Returns whether a connection carries several exchanges at a time.
    boolean hasStreams() {
        return toy;
    }

    boolean inMemory() {
        return transport.equals("memory");
    }

    /// Returns the transport's name for the server's builder.
    String transport() {
        return transport;
    }
}
