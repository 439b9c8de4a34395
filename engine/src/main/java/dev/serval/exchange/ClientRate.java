package dev.serval.exchange;

import dev.serval.handler.RequestRate;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Refuses the requests of clients that send too many in a time. Stateless.
final class ClientRate {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private ClientRate() {}

    /// Counts an exchange for its client, which is the one that a trusted proxy tells. Clients without
    /// an internet address have no limit.
    ///
    /// @param rate null for no limit
    /// @return whether the exchange may continue; if not, it is answered
    static boolean admits(ServerExchange x, @Nullable RequestRate rate) {
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
}
