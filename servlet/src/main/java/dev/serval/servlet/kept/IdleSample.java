package dev.serval.servlet.kept;

import dev.serval.servlet.session.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Finds sessions that were not used for long. Each call looks at the next sessions in memory and
/// returns the oldest of them, which approximates the order of use without a list that each request
/// would have to change. Any thread; a call while another one looks returns nothing.
final class IdleSample {
    private static final int CHOSEN_MAX = 8;
    private static final int CANDIDATES_MAX = 64;
    private static final int LOOKS_MAX = 512;

    private record Candidate(Session session, long idleNanos) {}

    private final Map<String, Session> sessions;
    private final ReentrantLock looking = new ReentrantLock();
    private Iterator<Session> hand; // under the lock

    /// @param sessions a concurrent map
    IdleSample(Map<String, Session> sessions) {
        this.sessions = sessions;
        this.hand = sessions.values().iterator();
    }

    /// Returns at most [#CHOSEN_MAX] confirmed sessions that no use holds.
    List<Session> oldest() {
        if (!looking.tryLock()) {
            return List.of();
        }
        List<Candidate> candidates = new ArrayList<>(CANDIDATES_MAX);
        try {
            look(candidates);
        } finally {
            looking.unlock();
        }
        candidates.sort(Comparator.comparingLong(Candidate::idleNanos).reversed());
        // Of few sessions, the hand may have passed some twice.
        return candidates.stream().distinct().limit(CHOSEN_MAX).map(Candidate::session).toList();
    }

    private void look(List<Candidate> candidates) {
        int restarts = 0;
        long reference = 0; // differences of nanoTime are compared, as its values may overflow
        for (int i = 0; i < LOOKS_MAX && candidates.size() < CANDIDATES_MAX; i++) {
            if (!hand.hasNext()) {
                hand = sessions.values().iterator();
                if (++restarts > 1 || !hand.hasNext()) {
                    return;
                }
            }
            Session session = hand.next();
            if (session.state() == Session.State.CONFIRMED
                    && !session.isUsed()
                    && !session.isStuck()) {
                if (candidates.isEmpty()) {
                    reference = session.accessedNanos();
                }
                candidates.add(new Candidate(session, reference - session.accessedNanos()));
            }
        }
    }
}
