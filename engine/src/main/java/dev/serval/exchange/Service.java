package dev.serval.exchange;

import dev.serval.handler.AccessRecord;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.RequestRate;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.Limits;
import dev.serval.policy.TrustedProxies;
import org.jspecify.annotations.Nullable;

/// The handler and the limits of a listener. The settings may be replaced while connections are
/// open, and each use reads the current settings. Any thread may read and replace them.
public final class Service {
    /// The settings of a listener.
    ///
    /// @param limits all limits
    /// @param handler gets every exchange first: the router
    /// @param pages creates the content of error responses
    /// @param accessLog receives every exchange that ended
    /// @param mapping what the engine knows about application code outside every mount
    /// @param trustedProxies the proxies that may tell who their client is; null for none
    public record Settings(
            Limits limits,
            Handler handler,
            ErrorPages pages,
            AccessRecord.Listener accessLog,
            Mapping mapping,
            @Nullable TrustedProxies trustedProxies) {
        /// Creates settings without trusted proxies.
        public Settings(
                Limits limits,
                Handler handler,
                ErrorPages pages,
                AccessRecord.Listener accessLog,
                Mapping mapping) {
            this(limits, handler, pages, accessLog, mapping, null);
        }

        /// Returns a copy with other limits.
        public Settings withLimits(Limits other) {
            return new Settings(other, handler, pages, accessLog, mapping, trustedProxies);
        }

        /// Returns a copy with another handler.
        public Settings withHandler(Handler other) {
            return new Settings(limits, other, pages, accessLog, mapping, trustedProxies);
        }

        /// Returns a copy with other trusted proxies; null for none.
        public Settings withTrustedProxies(@Nullable TrustedProxies other) {
            return new Settings(limits, handler, pages, accessLog, mapping, other);
        }
    }

    private final Admission admission;
    private volatile Settings settings;
    private volatile @Nullable RequestRate rate; // of each client; null for no limit

    /// Creates a service.
    ///
    /// @param loops how many event loops share it
    public Service(Settings settings, int loops) {
        this.settings = settings;
        this.admission = new Admission(settings.limits().counts(), loops);
        this.rate = settings.limits().rate().begin();
    }

    /// Returns the current settings.
    public Settings settings() {
        return settings;
    }

    /// Returns the current limits.
    public Limits limits() {
        return settings.limits();
    }

    /// Returns the counts of connections and of requests in progress, which enforce the limits.
    public Admission admission() {
        return admission;
    }

    /// Returns the limit of each client's rate, or null.
    @Nullable RequestRate rate() {
        return rate;
    }

    /// Replaces the settings. Requests in progress continue, and a new limit applies to them from
    /// its next use.
    public void replace(Settings next) {
        Limits.Rates former = settings.limits().rate();
        settings = next;
        if (!next.limits().rate().equals(former)) {
            rate = next.limits().rate().begin(); // the clients begin anew
        }
        admission.replace(next.limits().counts());
    }
}
