package dev.serval.conn;

import dev.serval.handler.Handler.Maintenance;
import dev.serval.handler.Mapping;
import dev.serval.http.RequestHead;
import dev.serval.http1.DateLine;
import dev.serval.http1.RequestParser;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import dev.serval.policy.Admission;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import dev.serval.worker.LoopWorkers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What the HTTP connections of one loop share: codecs, the Date line, counters, spare heads. Makes
/// their drivers. Owned by the loop.
public final class HttpLoop implements Driver.Factory {
    private static final int SPARE_HEADS_MAX = 256;

    private final HttpSettings settings;
    private final NetLoop net;
    private final LoopWorkers workers;
    private final Metrics.Column metrics;
    private final RequestParser parser;
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final DateLine dateLine = new DateLine();
    private final ArrayDeque<RequestHead> spareHeads = new ArrayDeque<>();
    private final MaintenanceTimers maintenance;
    private final Admission.Quota quota;
    private int headsLent;

    /// The HTTP side of a loop.
    public HttpLoop(HttpSettings settings, NetLoop net, LoopWorkers workers) {
        this.settings = settings;
        this.net = net;
        this.workers = workers;
        this.metrics = settings.metrics().column();
        this.quota = settings.admission().quota();
        this.parser = new RequestParser(settings.limits().head(), settings.leniency());
        this.maintenance = new MaintenanceTimers(net.loop(), settings.executors());
    }

    /// Lets a connection in, or resets it.
    @Override
    public Driver open(Connection connection) {
        metrics.count(Counter.CONNECTIONS_ACCEPTED);
        Http1Connection driver = new Http1Connection(this, connection);
        @Nullable InetAddress client = client(connection);
        switch (settings.admission().enter(client)) {
            case ADMITTED -> driver.admitted(client);
            case SERVER_FULL -> refuse(connection, Counter.CONNECTIONS_REFUSED_LIMIT);
            case ADDRESS_FULL -> refuse(connection, Counter.CONNECTIONS_REFUSED_ADDRESS);
        }
        return driver;
    }

    /// This loop's counters.
    public Metrics.Column metrics() {
        return metrics;
    }

    /// The loop with its sockets.
    public NetLoop net() {
        return net;
    }

    /// The loop's application code.
    public LoopWorkers workers() {
        return workers;
    }

    /// Heads that connections hold.
    public int headsLent() {
        return headsLent;
    }

    /// Sees to no more maintenance: the server stops.
    public void endMaintenance() {
        maintenance.end();
    }

    void maintenance(Maintenance work, long atNanos) {
        maintenance.set(work, atNanos);
    }

    /// What is known of application code behind no mount.
    Mapping mapping() {
        return settings.mapping();
    }

    HttpSettings settings() {
        return settings;
    }

    /// Who is let in, counted for the whole server.
    public Admission admission() {
        return settings.admission();
    }

    /// This loop's part in the count of requests in progress.
    Admission.Quota quota() {
        return quota;
    }

    RequestParser parser() {
        return parser;
    }

    ResponseEncoder encoder() {
        return encoder;
    }

    byte[] dateLine() {
        return dateLine.at(net.loop().epochSeconds());
    }

    RequestHead lendHead() {
        headsLent++;
        @Nullable RequestHead spare = spareHeads.pollLast();
        return spare != null ? spare : new RequestHead();
    }

    void giveBack(RequestHead head) {
        headsLent--;
        if (spareHeads.size() < SPARE_HEADS_MAX) {
            head.reset();
            spareHeads.addLast(head);
        }
    }

    private void refuse(Connection connection, Counter reason) {
        metrics.count(reason);
        connection.abort();
    }

    /// The client's address, where somebody counts by it: asking for it costs a system call.
    private @Nullable InetAddress client(Connection connection) {
        if (settings.limits().counts().perAddressMax() == 0) {
            return null;
        }
        return connection.peer() instanceof InetSocketAddress address ? address.getAddress() : null;
    }
}
