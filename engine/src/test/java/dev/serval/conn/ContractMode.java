package dev.serval.conn;

/// A protocol, and what carries it.
enum ContractMode {
    /// HTTP/1.1 in memory, with a clock that stands still.
    HTTP1_MEMORY(false, "memory"),
    /// The toy protocol, likewise.
    TOY_MEMORY(true, "memory"),
    /// HTTP/1.1 on sockets.
    HTTP1_NIO(false, "nio"),
    /// The toy protocol, likewise.
    TOY_NIO(true, "nio"),
    /// HTTP/1.1 on sockets, by epoll.
    HTTP1_EPOLL(false, "epoll"),
    /// The toy protocol, likewise.
    TOY_EPOLL(true, "epoll");

    private final boolean toy;
    private final String transport;

    ContractMode(boolean toy, String transport) {
        this.toy = toy;
        this.transport = transport;
    }

    /// Whether a connection carries several exchanges at a time.
    boolean hasStreams() {
        return toy;
    }

    boolean inMemory() {
        return transport.equals("memory");
    }

    /// As the server's builder calls it.
    String transport() {
        return transport;
    }
}
