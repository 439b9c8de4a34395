package dev.serval.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The requests of one mount that have ended on one loop: their statuses, their times, and the times of
/// their phases. Owned by the loop; any thread may read.
///
/// A loop reads its clock once a turn. A request that begins and ends in one turn therefore waits here
/// until the loop has sent the answers of the turn ([#flush]), and gets the time from the start of the
/// turn to that moment.
public final class MountTimes {
    /// Classes of statuses: 1xx to 5xx, and 0 for requests that ended without a status.
    static final int CLASSES = 6;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final RequestPhase[] PHASES = RequestPhase.values();

    /// All responses by class, then those of them with which the server itself refused a request.
    private final long[] responses = new long[2 * CLASSES];

    private final Histogram total = new Histogram();
    private final Histogram[] phases = new Histogram[PHASES.length];
    private int waiting; // requests of this turn
    @Nullable MountTimes nextWaiting; // of the loop's list

    /// Creates times without requests.
    public MountTimes() {
        for (int i = 0; i < phases.length; i++) {
            phases[i] = new Histogram();
        }
    }

    /// Counts a response.
    ///
    /// @param status 0 if the request ended without one
    /// @param refused whether the server itself has refused the request
    void count(int status, boolean refused) {
        int cell = status >= 100 && status < 600 ? status / 100 : 0;
        CELL.setOpaque(responses, cell, responses[cell] + 1);
        if (refused) {
            CELL.setOpaque(responses, CLASSES + cell, responses[CLASSES + cell] + 1);
        }
    }

    /// Counts a request that began in this turn.
    ///
    /// @return whether it is the first one of the turn
    boolean await() {
        return waiting++ == 0;
    }

    /// Records the time of the requests of this turn.
    void flush(long nanos) {
        total.record(nanos, waiting);
        waiting = 0;
    }

    /// Records the times of a request that began in an earlier turn. A phase without a time is not
    /// recorded.
    void record(EndedRequest request) {
        total.record(request.totalNanos());
        for (int i = 0; i < PHASES.length; i++) {
            long nanos = request.nanos(PHASES[i]);
            if (nanos > 0) {
                phases[i].record(nanos);
            }
        }
    }

    /// Adds what was recorded so far, without phases. Any thread.
    void addTo(MountTotals sums) {
        for (int i = 0; i < responses.length; i++) {
            sums.responses[i] += (long) CELL.getOpaque(responses, i);
        }
        total.addTo(sums);
    }

    /// Returns what was recorded so far. Any thread.
    MountFigures read(String mount) {
        long[] classes = new long[responses.length];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = (long) CELL.getOpaque(responses, i);
        }
        Distribution[] read = new Distribution[phases.length];
        for (int i = 0; i < read.length; i++) {
            read[i] = phases[i].read();
        }
        return new MountFigures(mount, classes, total.read(), read);
    }
}
