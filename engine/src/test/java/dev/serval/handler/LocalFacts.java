package dev.serval.handler;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// A connection without encryption between two ports of this machine, for tests.
record LocalFacts() implements ConnectionFacts {
    @Override
    public long id() {
        return 1;
    }

    @Override
    public SocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    }

    @Override
    public SocketAddress peer() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    }

    @Override
    public boolean secure() {
        return false;
    }
}
