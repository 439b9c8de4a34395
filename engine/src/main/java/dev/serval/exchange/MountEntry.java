package dev.serval.exchange;

import dev.serval.handler.Fault;
import dev.serval.handler.MountSettings;
import dev.serval.handler.RequestRate;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Applies the settings of a mount to an exchange that enters it. Stateless.
final class MountEntry {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Fields RETRY = Fields.of(FieldName.RETRY_AFTER, "1");

    private MountEntry() {}

    /// Applies the settings in place of those of a mount that the exchange has left.
    ///
    /// @param own null if the mount has none
    /// @return whether the exchange may continue; if not, it is answered
    static boolean admits(
            ServerExchange x, @Nullable MountSettings own, ServerSource content, Permit permit) {
        MountSettings settings = own == null ? MountSettings.NONE : own;
        x.sink().enter(own);
        long time = settings.exchangeNanos();
        x.limitTime(time > 0 ? time : x.service().limits().pace().exchangeNanos());
        boolean counts = !x.sink().isReplaced(); // the page of an error is part of a request
        if (counts && !keepsRate(x, settings.rate())) {
            return false;
        }
        if (counts && !permit.enter(settings.requests())) {
            x.notes().refused(Counter.REQUESTS_REFUSED_LIMIT);
            x.refuse(
                    Status.SERVICE_UNAVAILABLE,
                    RETRY,
                    "Too many requests for this part of the site are in progress.");
            return false;
        }
        if (!content.limit(settings.contentMaxBytes())) {
            x.contentFailed(Fault.PROTOCOL, ContentLength.TOO_LARGE, ServerExchange.NOTHING);
            return false;
        }
        return true;
    }

    /// Counts an exchange for its client, which is the one that a trusted proxy tells. Clients without
    /// an internet address have no limit.
    ///
    /// @param rate of a mount or of the listener; null for no limit
    /// @return whether the exchange may continue; if not, it is answered
    static boolean keepsRate(ServerExchange x, @Nullable RequestRate rate) {
        if (rate == null || !(x.connection().peer() instanceof InetSocketAddress peer)) {
            return true;
        }
        @Nullable InetAddress client = peer.getAddress();
        long waitNanos = client == null ? 0 : rate.take(client, x.nowNanos());
        if (waitNanos == 0) {
            return true;
        }
        x.notes().refused(Counter.REQUESTS_REFUSED_RATE);
        long seconds = (waitNanos + SECOND_NANOS - 1) / SECOND_NANOS;
        x.refuse(
                Status.TOO_MANY_REQUESTS,
                Fields.of(FieldName.RETRY_AFTER, Long.toString(seconds)),
                "This client has sent too many requests in a short time.");
        return false;
    }

    /// Returns the minimum rate that holds for an exchange.
    static long minBytesPerSecond(@Nullable MountSettings settings, ServiceLoop service) {
        return settings == null || settings.minBytesPerSecond() == 0
                ? service.limits().pace().minBytesPerSecond()
                : settings.minBytesPerSecond();
    }
}
