package dev.serval.admin;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Sets from which level on loggers print, until the next start. System.Logger has no means for that,
/// so this type uses the logging of the JDK below it. Any thread.
final class LogLevels {
    /// The levels of System.Logger, and what the JDK calls them.
    private static final Map<String, Level> LEVELS =
            new TreeMap<>(
                    Map.of(
                            "TRACE", Level.FINER,
                            "DEBUG", Level.FINE,
                            "INFO", Level.INFO,
                            "WARNING", Level.WARNING,
                            "ERROR", Level.SEVERE));

    /// The loggers that have handlers: that of the server's own messages, and the root.
    private static final List<String> HANDLING = List.of("dev.serval", "");

    /// The JDK forgets the level of a logger that nothing holds.
    private static final Map<String, Logger> KEPT = new ConcurrentHashMap<>();

    private LogLevels() {}

    /// Returns the names of the levels.
    static Set<String> names() {
        return LEVELS.keySet();
    }

    /// Sets the level of a logger and of those below it.
    ///
    /// @return false if there is no such level
    static boolean set(String name, String level) {
        @Nullable Level found = LEVELS.get(level);
        if (found == null) {
            return false;
        }
        Logger logger = Logger.getLogger(name);
        logger.setLevel(found);
        KEPT.put(name, logger);
        for (String owner : HANDLING) {
            for (Handler handler : Logger.getLogger(owner).getHandlers()) {
                if (handler.getLevel().intValue() > found.intValue()) {
                    handler.setLevel(found);
                }
            }
        }
        return true;
    }
}
