package dev.serval.exchange;

import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;

/// One loop's part of the service of one listener. Owned by the loop.
///
/// @param exchanges the state that all exchanges of the loop share
/// @param service the service of the listener
/// @param quota the loop's quota of the listener's requests in progress
public record ServiceLoop(ExchangeLoop exchanges, Service service, Admission.Quota quota) {
    /// Creates the loop's part of `service`.
    public ServiceLoop(ExchangeLoop exchanges, Service service) {
        this(exchanges, service, service.admission().quota());
    }

    /// Returns the current settings.
    public Service.Settings settings() {
        return service.settings();
    }

    /// Returns the current limits.
    public Limits limits() {
        return service.limits();
    }

    /// Returns the loop's counters.
    public Metrics.Column metrics() {
        return exchanges.metrics();
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
