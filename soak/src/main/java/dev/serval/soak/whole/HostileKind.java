package dev.serval.soak.whole;

import java.io.IOException;

/// The ways in which a hostile client uses its connection.
enum HostileKind {
    /// Resets in the middle of a head.
    RESET_IN_HEAD(HostileActs::resetInHead),
    /// Resets or closes in the middle of an upload.
    ABORTED_UPLOAD(HostileActs::abortUpload),
    /// Resets or closes after the request, before the answer.
    RESET_BEFORE_ANSWER(HostileActs::resetBeforeAnswer),
    /// Resets in the middle of a long answer.
    RESET_IN_ANSWER(HostileActs::resetInAnswer),
    /// Ends its sending side after a request, and still wants the answer.
    HALF_CLOSE(HostileActs::halfClose),
    /// Ends its sending side in the middle of a head or of content.
    HALF_CLOSE_EARLY(HostileActs::halfCloseEarly),
    /// Reads a long answer in small pieces with pauses, then leaves.
    SLOW_READER(HostileActs::readSlowly),
    /// Sends a request byte by byte with pauses.
    SLOW_WRITER(HostileActs::writeSlowly),
    /// Sends what must be refused.
    MALFORMED(HostileActs::malformed),
    /// Sends a head over the limits.
    HUGE_HEAD(HostileActs::hugeHead),
    /// Pipelines requests and reads no answer.
    UNREAD_PIPELINE(HostileActs::unreadPipeline),
    /// Connects and says nothing.
    IDLE(HostileActs::idle),
    /// Asks for what the upstream breaks.
    BROKEN_UPSTREAM(HostileActs::brokenUpstream),
    /// Sends random bytes.
    GARBAGE(HostileActs::garbage);

    @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
    private final Act act;

    HostileKind(Act act) {
        this.act = act;
    }

    /// Returns whether the server must answer, so that a closed connection is wrong.
    boolean isAnswered() {
        return this == HALF_CLOSE || this == SLOW_WRITER;
    }

    /// Acts once, on a new connection, and returns the name of the outcome.
    ///
    /// @throws IOException if the server closes or resets, which it may
    /// @throws WrongAnswer if the server answers what it must not
    String act(HostileActs acts) throws IOException, InterruptedException, WrongAnswer {
        return act.act(acts);
    }

    /// What is done on one connection.
    @FunctionalInterface
    interface Act {
        String act(HostileActs acts) throws IOException, InterruptedException, WrongAnswer;
    }

    /// An answer that breaks a promise.
    static final class WrongAnswer extends Exception {
        private static final long serialVersionUID = 1;

        WrongAnswer(String message) {
            super(message);
        }
    }
}
