package dev.serval.servlet.kept;

import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;

/// How the sessions of applications are kept. Immutable.
///
/// @param place where they are when they are not in memory
/// @param timeoutMinutes the timeout in place of what the application declares; -1 for that
/// @param savesRequests whether a session is stored at the end of each request that used it; if
///   not, when it leaves the memory or the application stops. Has no effect on a [Place.Temporary]
/// @param syncs whether a write to a file waits until the disk has it
/// @param diskMaxBytes the space of an application's sessions in files
/// @param idleMax the confirmed sessions in memory beyond which some leave it; 0 for a number that
///   depends on the heap
/// @param allowed classes that sessions may hold besides the usual ones, checked by `ClassRules`
public record SessionPlan(
        Place place,
        int timeoutMinutes,
        boolean savesRequests,
        boolean syncs,
        long diskMaxBytes,
        int idleMax,
        List<String> allowed) {
    /// Where sessions are when they are not in memory.
    public sealed interface Place {
        /// Files that are deleted when the application stops.
        record Temporary() implements Place {}

        /// Files below a folder, which survive a restart.
        ///
        /// @param root has a folder for each application
        record Folder(Path root) implements Place {}

        /// A table of a database, which servers may share.
        ///
        /// @param source gives connections; not closed here
        record Table(DataSource source) implements Place {}
    }

    /// Copies the patterns.
    public SessionPlan {
        allowed = List.copyOf(allowed);
    }
}
