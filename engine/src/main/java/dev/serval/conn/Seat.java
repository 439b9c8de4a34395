package dev.serval.conn;

import dev.serval.http.Admission;

/// The place of one exchange among those in progress: taken when it outlasts its turn, kept until it
/// is over and no task is at work for it. Owned by the loop.
final class Seat {
    private final Admission.Share share;
    private boolean taken;

    /// One that is not taken.
    Seat(Admission.Share share) {
        this.share = share;
    }

    /// Takes it, if it is not taken yet.
    ///
    /// @return whether it is taken now
    boolean take() {
        taken = taken || share.begin();
        return taken;
    }

    boolean isTaken() {
        return taken;
    }

    /// Gives it back, if it was taken.
    void leave() {
        if (taken) {
            taken = false;
            share.end();
        }
    }
}
