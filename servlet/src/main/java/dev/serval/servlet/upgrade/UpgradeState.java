package dev.serval.servlet.upgrade;

/// The state of an upgraded connection, and where its container thread is.
///
/// ```
///   WAITING ── opened ──▶ STARTING ── asked: INIT ──▶ INSIDE ◀──── due ──── AWAY
///      │ over                 │                        │ └─ asked: LEAVE ──▶ │
///      ▼                      │ over                   │ over                │ over
///    LOST                     │                        ▼                     │
///      │ opened               │                     CLOSING ◀────────────────┘
///      ▼                      │                        │ asked: DESTROY
///   RELEASING ◀───────────────┴────────────────────────┘
///      │ asked: RELEASE
///      ▼
///    ENDED
/// ```
///
/// In STARTING, INSIDE, CLOSING and RELEASING a container thread was called, and asks [#next] until
/// the answer is LEAVE or RELEASE. In the other states there is none. A connection that is over
/// before it was opened is LOST, and gets its thread from [#opened].
///
/// Not thread-safe: the owner calls it under its lock, and then calls the container thread if a
/// method says so.
final class UpgradeState {
    /// Where the connection is on its way from the 101 response to the end of its handler.
    private enum State {
        WAITING,
        STARTING,
        INSIDE,
        AWAY,
        CLOSING,
        LOST,
        RELEASING,
        ENDED
    }

    /// What happens to the connection.
    private enum Event {
        /// The 101 response was sent, or never will be.
        OPENED,
        /// A stream has an event for its listener.
        DUE,
        /// The connection has ended.
        OVER,
        /// The container thread asks what to do.
        ASKED
    }

    /// What the container thread has to do.
    enum Step {
        /// Call `init` of the handler.
        INIT,
        /// Call the listeners that have an event, and ask again.
        LISTENERS,
        /// Call `destroy` of the handler.
        DESTROY,
        /// Give the handler back, and leave for ever.
        RELEASE,
        /// Leave until the next event.
        LEAVE
    }

    private State state = State.WAITING;

    /// Records that the connection is open, or that it never will be.
    ///
    /// @return whether a container thread must be called
    boolean opened() {
        return move(Event.OPENED);
    }

    /// Records that a listener has an event.
    ///
    /// @return whether a container thread must be called
    boolean due() {
        return move(Event.DUE);
    }

    /// Records that the connection has ended.
    ///
    /// @return whether a container thread must be called
    boolean over() {
        return move(Event.OVER);
    }

    /// Returns whether the connection has ended, so that no Worker can be started for it.
    boolean isOver() {
        return switch (state) {
            case WAITING, STARTING, INSIDE, AWAY -> false;
            case CLOSING, LOST, RELEASING, ENDED -> true;
        };
    }

    /// Returns what the container thread has to do now.
    ///
    /// @param due whether a listener has an event
    Step next(boolean due) {
        if (state == State.INSIDE && due) {
            return Step.LISTENERS;
        }
        Step step =
                switch (state) {
                    case STARTING -> Step.INIT;
                    case INSIDE -> Step.LEAVE;
                    case CLOSING -> Step.DESTROY;
                    case RELEASING -> Step.RELEASE;
                    case WAITING, AWAY, LOST, ENDED ->
                            throw new IllegalStateException("No thread may ask in " + state);
                };
        boolean _ = move(Event.ASKED);
        return step;
    }

    /// Moves to the state after an event. The only place that assigns the state.
    ///
    /// @return whether a container thread must be called
    private boolean move(Event event) {
        boolean had = hasThread(state);
        state = after(state, event);
        return !had && hasThread(state);
    }

    private static boolean hasThread(State state) {
        return switch (state) {
            case STARTING, INSIDE, CLOSING, RELEASING -> true;
            case WAITING, AWAY, LOST, ENDED -> false;
        };
    }

    /// Returns the state after an event, which is the same if the event changes nothing there.
    private static State after(State before, Event event) {
        return switch (before) {
            case WAITING ->
                    switch (event) {
                        case OPENED -> State.STARTING;
                        case OVER -> State.LOST;
                        case DUE, ASKED -> before;
                    };
            case STARTING ->
                    switch (event) {
                        case OVER -> State.RELEASING;
                        case ASKED -> State.INSIDE;
                        case OPENED, DUE -> before;
                    };
            case INSIDE ->
                    switch (event) {
                        case OVER -> State.CLOSING;
                        case ASKED -> State.AWAY;
                        case OPENED, DUE -> before;
                    };
            case AWAY ->
                    switch (event) {
                        case OVER -> State.CLOSING;
                        case DUE -> State.INSIDE;
                        case OPENED, ASKED -> before;
                    };
            case CLOSING -> event == Event.ASKED ? State.RELEASING : before;
            case LOST -> event == Event.OPENED ? State.RELEASING : before;
            case RELEASING -> event == Event.ASKED ? State.ENDED : before;
            case ENDED -> before;
        };
    }
}
