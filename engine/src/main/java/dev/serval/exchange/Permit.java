package dev.serval.exchange;

/// The permit of one exchange to be in progress. It is taken when the exchange outlasts its turn,
/// and kept until the exchange has ended and no task runs for it. Owned by the loop.
final class Permit {
    private final Admission.Quota quota;
    private boolean taken;

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

    boolean isTaken() {
        return taken;
    }

    /// Returns the permit to the quota, if it was taken.
    void leave() {
        if (taken) {
            taken = false;
            quota.end();
        }
    }
}
