package dev.serval.conn;

/// A protocol and its transport.
enum ContractMode {
    /// HTTP/1.1 in memory, with a clock that only the test moves.
    HTTP1_MEMORY(false, "memory"),
    /// The toy protocol in memory, with the same clock.
    TOY_MEMORY(true, "memory"),
    /// HTTP/1.1 on sockets, with java.nio.
    HTTP1_NIO(false, "nio"),
    /// The toy protocol on sockets, with java.nio.
    TOY_NIO(true, "nio"),
    /// HTTP/1.1 on sockets, with epoll.
    HTTP1_EPOLL(false, "epoll"),
    /// The toy protocol on sockets, with epoll.
    TOY_EPOLL(true, "epoll");

    private final boolean toy;
    private final String transport;

    ContractMode(boolean toy, String transport) {
        this.toy = toy;
        this.transport = transport;
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
