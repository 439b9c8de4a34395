package dev.serval.exchange;

import dev.serval.policy.Admission;

/// The place of one exchange among those in progress: taken when it outlasts its turn, kept until it
/// is over and no task is at work for it. Owned by the loop.
final class Permit {
    private final Admission.Quota quota;
    private boolean taken;

    /// One that is not taken.
    Permit(Admission.Quota quota) {
        this.quota = quota;
    }

    /// Takes it, if it is not taken yet.
    ///
    /// @return whether it is taken now
    boolean take() {
        taken = taken || quota.begin();
        return taken;
    }

    boolean isTaken() {
        return taken;
    }

    /// Gives it back, if it was taken.
    void leave() {
        if (taken) {
            taken = false;
            quota.end();
        }
    }
}
