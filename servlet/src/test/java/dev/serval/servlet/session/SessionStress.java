package dev.serval.servlet.session;

import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Races of the threads that use a session and end it, by jcstress.
final class SessionStress {
    private static final Sessions SESSIONS = new SessionFixture().sessions;
    private static final long SECOND = 1_000_000_000;
    private static final long LATE = 3 * SECOND; // beyond the timeout

    private SessionStress() {}

    private static Session session() {
        Session session = new Session(SESSIONS, "id", 1, 0, 0);
        boolean _ = session.release(0);
        return session;
    }

    private static int ends(boolean ended) {
        return ended ? 1 : 0;
    }

    /// A request touches a session that is overdue: it is used or it expires, never both.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "used, so it lives")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "expired, so it is not used")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or neither")
    @State
    public static class TouchAgainstExpiry {
        private final Session session = session();

        /// Is a request.
        @Actor
        public void request(II_Result result) {
            boolean used = session.begin(true) != null;
            if (used) {
                session.accessed(1, LATE);
                boolean _ = session.release(LATE);
            }
            result.r1 = ends(used);
        }

        /// Ends overdue sessions.
        @Actor
        public void expiry(II_Result result) {
            result.r2 = ends(session.beginEndIfIdle(LATE));
        }
    }

    /// Two threads end a session, and one of them does.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "invalidated")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "expired")
    @Outcome(expect = Expect.FORBIDDEN, desc = "ended twice, or never")
    @State
    public static class InvalidateAgainstExpiry {
        private final Session session = session();

        /// Invalidates.
        @Actor
        public void application(II_Result result) {
            result.r1 = ends(session.beginEnd());
        }

        /// Ends overdue sessions.
        @Actor
        public void expiry(II_Result result) {
            result.r2 = ends(session.beginEndIfIdle(LATE));
        }
    }

    /// An attribute that is set while the session ends is unbound, or the setter is refused.
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "set, and unbound by the end")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a value stays bound, or was never bound")
    @State
    public static class InvalidateAgainstAccess {
        private final Session session = session();

        /// Is a request.
        @Actor
        public void request(II_Result result) {
            try {
                Object _ = session.put("name", "value");
                result.r1 = 1;
            } catch (IllegalStateException e) {
                result.r1 = 0;
            }
        }

        /// Invalidates.
        @Actor
        public void application(II_Result result) {
            boolean _ = session.beginEnd();
            Map<String, Object> last = session.end();
            result.r2 = last.size();
        }
    }

    /// A client returns the id when the session is to be evicted.
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "confirmed, so it lives")
    @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "evicted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or neither")
    @State
    public static class JoinAgainstEviction {
        private final Session session = session();

        /// Is a request.
        @Actor
        public void request(III_Result result) {
            result.r1 = ends(session.begin(true) != null);
        }

        /// Makes room.
        @Actor
        public void eviction(III_Result result) {
            result.r2 = ends(session.beginEndIfUnconfirmed());
        }

        /// Reads the result.
        @Arbiter
        public void end(III_Result result) {
            result.r3 = ends(session.isLive());
        }
    }

    /// Two uses end: the session is reported idle once, after both.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first was the last use")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second was the last use")
    @Outcome(expect = Expect.FORBIDDEN, desc = "reported twice, or never")
    @State
    public static class TwoReleases {
        private final Session session = new Session(SESSIONS, "id", 1, 0, 0);

        /// Begins the second use.
        public TwoReleases() {
            Object _ = session.begin(true);
        }

        /// Ends a use.
        @Actor
        public void one(II_Result result) {
            result.r1 = ends(session.release(1));
        }

        /// Ends the other use.
        @Actor
        public void other(II_Result result) {
            result.r2 = ends(session.release(2));
        }
    }
}
