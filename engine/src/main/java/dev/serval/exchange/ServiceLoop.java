package dev.serval.exchange;

import dev.serval.http.FieldChanges;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.load.LoadMonitor;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadRow;
import dev.serval.policy.Metrics;
import dev.serval.policy.ProxyProtocol;
import org.jspecify.annotations.Nullable;

/// One loop's part of the service of one listener. Owned by the loop.
///
/// @param exchanges the state that all exchanges of the loop share
/// @param service the service of the listener
/// @param quota the loop's quota of the service's requests in progress
/// @param proxyProtocol the rule if the listener's connections begin with a PROXY header; null if
///     they do not
/// @param fields changes of the fields of every response of the listener
public record ServiceLoop(
        ExchangeLoop exchanges,
        Service service,
        Admission.Quota quota,
        @Nullable ProxyProtocol proxyProtocol,
        FieldChanges fields) {
    /// Creates the loop's part of `service`, for a listener without PROXY headers.
    public ServiceLoop(ExchangeLoop exchanges, Service service) {
        this(exchanges, service, null, FieldChanges.NONE);
    }

    /// Creates the loop's part of `service`.
    ///
    /// @param proxyProtocol as the component
    /// @param fields as the component
    public ServiceLoop(
            ExchangeLoop exchanges,
            Service service,
            @Nullable ProxyProtocol proxyProtocol,
            FieldChanges fields) {
        this(
                exchanges,
                service,
                service.admission().quota(exchanges.loop().index()),
                proxyProtocol,
                fields);
    }

    /// Returns the current settings.
    public Service.Settings settings() {
        return service.settings();
    }

    /// Returns the current limits.
    public Limits limits() {
        return service.limits();
    }

    /// Returns the settings for requests: those of the load mode in force.
    public LoadRow loadRow() {
        return service.limits().load().row(exchanges.load().mode());
    }

    /// Returns the settings for connections: those of the mode that the connections alone make, or of
    /// the one that is forced.
    public LoadRow connectionRow() {
        return service.limits().load().row(exchanges.load().monitor().ofConnections());
    }

    /// Returns whether so many connections are open at this moment that idle ones are closed: as many as
    /// begin the mode of [#connectionRow]. If that mode ends connections after an answer, as many as keep it
    /// are enough, because a client that is idle loses less than one at work. A mode that is forced needs
    /// none.
    public boolean isCrowded() {
        LoadMonitor monitor = exchanges.load().monitor();
        monitor.look(nowNanos()); // nothing else does while nothing arrives
        LoadRow row = connectionRow();
        return limits().load().forced() != null
                || monitor.isForced()
                || (row.persistent() ? monitor.isBegunBy(row) : monitor.isKeptBy(row));
    }

    /// Returns whether the load lets a connection stay open after a response.
    ///
    /// @param refused whether the server itself refused the request
    public boolean mayPersist(boolean refused) {
        return connectionRow().persistent() && (!refused || loadRow().persistent());
    }

    /// Returns the loop's counters.
    public Metrics.Column metrics() {
        return exchanges.metrics();
    }

    /// Counts a head that could not be read, unless the server is the reason.
    void countUnread(ProtocolError error) {
        if (!error.status().equals(Status.SERVICE_UNAVAILABLE)) {
            metrics().refuse(error);
        }
    }

    /// Reports a fault, without ever waiting.
    public void report(String what, Throwable thrown) {
        exchanges.loop().report(what, thrown);
    }

    /// Returns the turn's reading of the monotonic clock, in nanoseconds.
    public long nowNanos() {
        return exchanges.loop().nowNanos();
    }
}
