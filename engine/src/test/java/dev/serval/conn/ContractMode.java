package dev.serval.conn;

/// A protocol and its transport.
enum ContractMode {
    /// HTTP/1.1 in memory, with a clock that only the test moves.
    HTTP1_MEMORY(Speech.HTTP1, "memory"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_MEMORY(Speech.HTTP1, "memory", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_MEMORY(Speech.HTTP1, "memory", Layer.TLS),
    /// HTTP/2 with prior knowledge in memory, with the same clock.
    HTTP2_MEMORY(Speech.HTTP2, "memory"),
    /// The toy protocol in memory, with the same clock.
    TOY_MEMORY(Speech.TOY, "memory"),
    /// HTTP/1.1 on sockets, with java.nio.
    HTTP1_NIO(Speech.HTTP1, "nio"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_NIO(Speech.HTTP1, "nio", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_NIO(Speech.HTTP1, "nio", Layer.TLS),
    /// HTTP/2 on sockets, with java.nio.
    HTTP2_NIO(Speech.HTTP2, "nio"),
    /// The toy protocol on sockets, with java.nio.
    TOY_NIO(Speech.TOY, "nio"),
    /// HTTP/1.1 on sockets, with epoll.
    HTTP1_EPOLL(Speech.HTTP1, "epoll"),
    /// The same over a transport that transforms every byte.
    HTTP1_MASKED_EPOLL(Speech.HTTP1, "epoll", Layer.MASK),
    /// The same over TLS.
    HTTP1_TLS_EPOLL(Speech.HTTP1, "epoll", Layer.TLS),
    /// HTTP/2 on sockets, with epoll.
    HTTP2_EPOLL(Speech.HTTP2, "epoll"),
    /// The same over a transport that transforms every byte.
    HTTP2_MASKED_EPOLL(Speech.HTTP2, "epoll", Layer.MASK),
    /// The same over TLS.
    HTTP2_TLS_EPOLL(Speech.HTTP2, "epoll", Layer.TLS),
    /// The toy protocol on sockets, with epoll.
    TOY_EPOLL(Speech.TOY, "epoll"),
    /// The same over a transport that transforms every byte.
    TOY_MASKED_EPOLL(Speech.TOY, "epoll", Layer.MASK),
    /// The same over TLS.
    TOY_TLS_EPOLL(Speech.TOY, "epoll", Layer.TLS);

    /// What lies over the sockets.
    enum Layer {
        NONE,
        /// A [dev.serval.net.MaskedTransport].
        MASK,
        TLS
    }

    /// A protocol.
    enum Speech {
        HTTP1,
        HTTP2,
        TOY
    }

    private final Speech speech;
    private final String transport;
    private final Layer layer;

    ContractMode(Speech speech, String transport) {
        this(speech, transport, Layer.NONE);
    }

    ContractMode(Speech speech, String transport, Layer layer) {
        this.speech = speech;
        this.transport = transport;
        this.layer = layer;
    }

    /// Returns what lies over the sockets.
    Layer layer() {
        return layer;
    }

    /// Returns the protocol.
    Speech speech() {
        return speech;
    }

    /// Returns whether a connection carries several exchanges at a time.
    boolean hasStreams() {
        return speech != Speech.HTTP1;
    }

    boolean inMemory() {
        return transport.equals("memory");
    }

    /// Returns the transport's name for the server's builder.
    String transport() {
        return transport;
    }
}
