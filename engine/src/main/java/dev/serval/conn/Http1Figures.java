package dev.serval.conn;

import dev.serval.exchange.ExchangePort;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;

/// What is recorded of the requests of an [Http1Connection], one after the other. Owned by the connection.
final class Http1Figures implements ExchangePort.Figures {
    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Input in;
    private final Output out;
    private long requests;
    private boolean refused; // the head, so all that came belongs to it
    private long headNanos; // when the first byte of the next head arrived; 0 if none has
    private long firstByteNanos; // of the present request
    private long receivedBefore; // bytes before the present request
    private long sentBefore; // bytes before its response

    Http1Figures(AcceptedConnection accepted) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
        this.out = connection.out();
    }

    /// Notes that the input begins with a head, or with more of it.
    void headBegins() {
        receivedBefore = in.received() - in.length();
        if (headNanos == 0) {
            headNanos = connection.loop().nowNanos();
        }
    }

    /// Notes that the head was read.
    void requestBegins() {
        requests++;
        responseBegins();
        headNanos = 0;
    }

    /// Notes that the head is refused, or that none came.
    void refusalBegins() {
        refused = true;
        responseBegins();
    }

    private void responseBegins() {
        sentBefore = out.written();
        firstByteNanos = headNanos;
    }

    /// Returns the number of requests so far.
    long requests() {
        return requests;
    }

    /// Returns whether bytes of an earlier response wait for the client.
    boolean isBehind() {
        return out.sent() < sentBefore;
    }

    @Override
    public long acceptedNanos() {
        return accepted.openedNanos();
    }

    @Override
    public long firstByteNanos() {
        return firstByteNanos;
    }

    @Override
    public long receivedBytes() {
        return in.received() - (refused ? 0 : in.length()) - receivedBefore;
    }

    @Override
    public long sentBytes() {
        return out.written() - sentBefore;
    }

    @Override
    public long earlierExchanges() {
        return Math.max(0, requests - 1);
    }
}
