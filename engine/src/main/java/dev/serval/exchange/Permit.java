package dev.serval.exchange;

import dev.serval.handler.Fault;
import dev.serval.handler.RequestCount;
import dev.serval.policy.Counter;
import org.jspecify.annotations.Nullable;

/// The permit of one exchange to be in progress. It is taken when the exchange outlasts its turn,
/// and kept until the exchange has ended and no task runs for it. A mount that counts its exchanges
/// counts each from its entry to the same end. Owned by the loop.
final class Permit {
    private final Admission.Quota quota;
    private boolean taken;
    private @Nullable RequestCount mount; // of the mount that counts the exchange

    /// Creates a permit that is not taken.
    Permit(Admission.Quota quota) {
        this.quota = quota;
    }

    /// Takes the permit, if it is not taken yet.
    ///
    /// @return whether it is taken now
    boolean take() {
        taken = taken || quota.begin();
        return taken;
    }

    /// Takes the permit. Without one, the exchange is refused.
    ///
    /// @param asked whether the handler's current call reports a refusal to the handler
    boolean admit(ServerExchange exchange, boolean asked) {
        boolean admitted = take();
        if (!admitted) {
            exchange.notes().refused(Counter.REQUESTS_REFUSED_LIMIT);
            exchange.sink().giveUp(Fault.OVERLOAD, asked);
            exchange.tellAborted(ServerExchange.NOTHING);
        }
        return admitted;
    }

    /// Counts the exchange at its mount, and no more at another one.
    ///
    /// @return whether the mount takes it
    boolean enter(@Nullable RequestCount next) {
        leaveMount();
        if (next == null || !next.begin()) {
            return next == null;
        }
        mount = next;
        return true;
    }

    boolean isTaken() {
        return taken;
    }

    /// Returns the permit to the quota, if it was taken, and leaves the mount.
    void leave() {
        leaveMount();
        if (taken) {
            taken = false;
            quota.end();
        }
    }

    private void leaveMount() {
        @Nullable RequestCount present = mount;
        if (present != null) {
            mount = null;
            present.end();
        }
    }
}
