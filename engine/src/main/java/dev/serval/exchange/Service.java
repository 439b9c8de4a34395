package dev.serval.exchange;

import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.policy.AccessRecord;
import dev.serval.policy.Admission;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.Limits;

/// What a listener serves, and within which limits. Its settings may be replaced while connections are
/// open: each use reads the settings in force. Any thread may read and replace them.
public final class Service {
    /// The settings of a listener.
    ///
    /// @param limits every bound
    /// @param handler sees every exchange first: the router
    /// @param pages content of error answers
    /// @param accessLog hears of every exchange that ended
    /// @param mapping what is known of application code outside every mount
    public record Settings(
            Limits limits,
            Handler handler,
            ErrorPages pages,
            AccessRecord.Listener accessLog,
            Mapping mapping) {
        /// With other limits.
        public Settings withLimits(Limits other) {
            return new Settings(other, handler, pages, accessLog, mapping);
        }
    }

    private final Admission admission;
    private volatile Settings settings;

    /// A service with these settings.
    ///
    /// @param loops how many event loops share it
    public Service(Settings settings, int loops) {
        this.settings = settings;
        this.admission = new Admission(settings.limits().counts(), loops);
    }

    /// The settings in force.
    public Settings settings() {
        return settings;
    }

    /// The limits in force.
    public Limits limits() {
        return settings.limits();
    }

    /// Counts connections and requests in progress against the limits.
    public Admission admission() {
        return admission;
    }

    /// Replaces the settings. Requests in progress continue, each with the limits that it reads next.
    public void replace(Settings next) {
        settings = next;
        admission.replace(next.limits().counts());
    }
}
