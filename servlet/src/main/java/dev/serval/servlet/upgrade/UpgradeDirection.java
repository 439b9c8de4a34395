package dev.serval.servlet.upgrade;

/// One direction of an upgraded connection: its listener, and whether the listener has an event.
///
/// ```
///   QUIET ── listener set, loop reports ──▶ DUE ── taken ──▶ QUIET
///     │                                      │
///     └────── a call would wait ──▶ ARMED ◀──┘      ARMED ── loop reports ──▶ DUE
/// ```
///
/// A direction that is ARMED waits for the loop, so an event that was due before is dropped. Every
/// state may become FINISHED, in which no event is due any more. Not thread-safe: the owner calls it
/// under its lock.
///
/// @param <L> the kind of listener
final class UpgradeDirection<L> {
    private enum State {
        QUIET,
        DUE,
        ARMED,
        FINISHED
    }

    private final L deaf;
    private L listener;
    private State state = State.QUIET;

    /// Creates a direction without a listener.
    ///
    /// @param deaf stands for a listener as long as there is none
    UpgradeDirection(L deaf) {
        this.deaf = deaf;
        this.listener = deaf;
    }

    /// Returns the listener.
    L listener() {
        return listener;
    }

    /// Sets the listener, which has an event at once.
    void listen(L added) {
        listener = added;
        move(State.DUE);
    }

    /// Records that the loop has reported what the direction waited for.
    void reported() {
        move(State.DUE);
    }

    /// Records that the loop is to report when a call would not wait.
    ///
    /// @return whether the direction is ARMED now, so that the caller must ask the loop
    boolean arm() {
        move(State.ARMED);
        return isArmed();
    }

    /// Returns whether the loop will report.
    boolean isArmed() {
        return state == State.ARMED;
    }

    /// Returns whether the listener has an event.
    boolean isDue() {
        return state == State.DUE;
    }

    /// Takes the event of the listener.
    ///
    /// @return whether there was one
    boolean take() {
        boolean due = isDue();
        if (due) {
            move(State.QUIET);
        }
        return due;
    }

    /// Records that the listener knows of the end of this direction.
    ///
    /// @return whether it has not known before
    boolean finish() {
        boolean first = state != State.FINISHED;
        move(State.FINISHED);
        return first;
    }

    /// Forgets the listener, because it or the other one has failed.
    void forget() {
        listener = deaf;
        move(State.FINISHED);
    }

    /// Moves to a state, unless the direction is FINISHED. The only place that assigns the state.
    private void move(State next) {
        if (state != State.FINISHED) {
            state = next;
        }
    }
}
