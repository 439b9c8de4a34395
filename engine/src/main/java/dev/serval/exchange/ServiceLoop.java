package dev.serval.exchange;

import dev.serval.policy.Admission;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;

/// One loop's part in the service of one listener. Owned by the loop.
///
/// @param exchanges what all exchanges of the loop share
/// @param service what the listener serves
/// @param quota the loop's part in the listener's requests in progress
public record ServiceLoop(ExchangeLoop exchanges, Service service, Admission.Quota quota) {
    /// The loop's part in `service`.
    public ServiceLoop(ExchangeLoop exchanges, Service service) {
        this(exchanges, service, service.admission().quota());
    }

    /// The settings in force.
    public Service.Settings settings() {
        return service.settings();
    }

    /// The limits in force.
    public Limits limits() {
        return service.limits();
    }

    /// The loop's counters.
    public Metrics.Column metrics() {
        return exchanges.metrics();
    }

    /// Tells of a fault, without ever waiting.
    public void report(String what, Throwable thrown) {
        exchanges.loop().report(what, thrown);
    }

    /// The turn's reading of the monotonic clock, in nanoseconds.
    public long nowNanos() {
        return exchanges.loop().nowNanos();
    }
}
