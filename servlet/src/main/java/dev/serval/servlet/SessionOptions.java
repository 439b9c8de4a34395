package dev.serval.servlet;

import dev.serval.servlet.kept.SessionPlan;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.VaultLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/// How sessions are kept. Set them for all applications by [ServletContainer.Builder#sessions], or
/// for one by [WebApp.Builder#sessions].
///
/// ```java
/// ServletContainer.builder().sessions(SessionOptions.files(Path.of("state/sessions")))
/// ```
///
/// Immutable: each method returns a copy. What a session holds must be serialisable to leave the
/// memory; classes of the application, and values and collections of the JDK, are allowed.
public final class SessionOptions {
    private static final int DECLARED = -1;
    private static final int BY_HEAP = 0;
    private static final Duration TIMEOUT_MAX = Duration.ofDays(366);

    private final SessionPlan plan;

    private SessionOptions(SessionPlan plan) {
        this.plan = plan;
    }

    private static SessionOptions at(SessionPlan.Place place) {
        return new SessionOptions(
                new SessionPlan(
                        place,
                        DECLARED,
                        /* savesRequests */ true,
                        /* syncs */ false,
                        VaultLimits.STANDARD.diskMaxBytes(),
                        BY_HEAP,
                        List.of()));
    }

    /// Returns the default: sessions end when their application stops. Those that were not used for
    /// longest are on disk meanwhile if there are many.
    public static SessionOptions memory() {
        return at(new SessionPlan.Place.Temporary());
    }

    /// Keeps sessions in files, so that they survive a restart and a crash of the server.
    ///
    /// @param folder created if missing; each application has a folder in it; one server may use it
    ///     at a time
    public static SessionOptions files(Path folder) {
        return at(new SessionPlan.Place.Folder(folder));
    }

    /// Keeps sessions in a table of a database, which several servers may share. The table
    /// `serval_session` is created if missing.
    ///
    /// @param source gives connections, and should be a pool; it is not closed
    public static SessionOptions jdbc(DataSource source) {
        return at(new SessionPlan.Place.Table(source));
    }

    /// Sets the time without a request after which a session ends, in place of what web.xml
    /// declares. Zero is never. Code of the application may set another.
    ///
    /// @throws IllegalArgumentException if it is not a whole number of minutes up to 366 days
    public SessionOptions timeout(Duration timeout) {
        boolean whole = timeout.equals(Duration.ofMinutes(timeout.toMinutes()));
        if (!whole || timeout.isNegative() || timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The timeout of sessions is a whole number of minutes up to 366 days, not "
                            + timeout);
        }
        Draft next = new Draft(plan);
        next.timeoutMinutes = (int) timeout.toMinutes();
        return next.options();
    }

    /// Stores sessions in files only when they leave the memory or the application stops. Requests
    /// are cheaper, and a crash loses sessions. A database always has each change.
    public SessionOptions saveOnStop() {
        Draft next = new Draft(plan);
        next.savesRequests = false;
        return next.options();
    }

    /// Waits until the disk has what is written, so that sessions in files also survive the loss of
    /// power. Without it they survive the end of the server in any way, but the system writes them
    /// to the disk some seconds later.
    public SessionOptions sync() {
        Draft next = new Draft(plan);
        next.syncs = true;
        return next.options();
    }

    /// Sets the space that the sessions of an application may take on disk, in blocks of 4 KiB. The
    /// default is 4 GiB. Beyond it sessions stay in memory.
    ///
    /// @throws IllegalArgumentException if it is less than one block
    public SessionOptions diskMaxBytes(long bytes) {
        if (bytes < 4_096) {
            throw new IllegalArgumentException(
                    "The space of sessions on disk is at least 4096 bytes, not " + bytes);
        }
        Draft next = new Draft(plan);
        next.diskMaxBytes = bytes;
        return next.options();
    }

    /// Sets how many confirmed sessions of an application stay in memory. The default is one for
    /// each 8 KiB of the heap, from 1,000 to 75,000.
    ///
    /// @throws IllegalArgumentException if it is not positive
    public SessionOptions inMemoryMax(int sessions) {
        if (sessions < 1) {
            throw new IllegalArgumentException(
                    "The number of sessions in memory is at least 1, not " + sessions);
        }
        Draft next = new Draft(plan);
        next.idleMax = sessions;
        return next.options();
    }

    /// Allows sessions to hold more classes, even some that attackers have used.
    ///
    /// @param pattern a name such as `com.acme.Cart`, or `com.acme.*`, or `com.acme.**` with the
    ///     packages below
    /// @throws IllegalArgumentException if it is not one of these
    public SessionOptions allow(String pattern) {
        List<String> all = new ArrayList<>(plan.allowed());
        all.add(ClassRules.check(pattern));
        Draft next = new Draft(plan);
        next.allowed = all;
        return next.options();
    }

    SessionPlan plan() {
        return plan;
    }

    /// A copy of a plan, of which a method changes one part.
    private static final class Draft {
        private final SessionPlan.Place place;
        private int timeoutMinutes;
        private boolean savesRequests;
        private boolean syncs;
        private long diskMaxBytes;
        private int idleMax;
        private List<String> allowed;

        Draft(SessionPlan plan) {
            this.place = plan.place();
            this.timeoutMinutes = plan.timeoutMinutes();
            this.savesRequests = plan.savesRequests();
            this.syncs = plan.syncs();
            this.diskMaxBytes = plan.diskMaxBytes();
            this.idleMax = plan.idleMax();
            this.allowed = plan.allowed();
        }

        SessionOptions options() {
            return new SessionOptions(
                    new SessionPlan(
                            place,
                            timeoutMinutes,
                            savesRequests,
                            syncs,
                            diskMaxBytes,
                            idleMax,
                            allowed));
        }
    }
}
