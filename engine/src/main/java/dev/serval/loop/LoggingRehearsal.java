package dev.serval.loop;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Uses the JDK's logging once without output, so that all its classes are initialised. A class
/// whose first use fails because memory ran out can never be used again. Without the rehearsal, the
/// first report could be the one of exhausted memory, and the process would never log again.
final class LoggingRehearsal {
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private LoggingRehearsal() {}

    /// Formats a record with a stack trace for each handler of the process, the first time that it
    /// is called. Throws nothing: another logger may be in use, or memory may have run out already.
    static void play() {
        try {
            if (DONE.compareAndSet(false, true)) {
                for (Handler handler : Logger.getLogger("").getHandlers()) {
                    rehearse(handler);
                }
            }
        } catch (Throwable e) {
            // Without that module there is nothing to rehearse.
        }
    }

    /// Does what the publication of a record needs, except for the output.
    static void rehearse(Handler handler) {
        LogRecord log = new LogRecord(Level.SEVERE, "{0}");
        log.setParameters(new Object[] {"a rehearsal"});
        log.setThrown(new IllegalStateException("a rehearsal", new OutOfMemoryError("a cause")));
        boolean _ = handler.isLoggable(log);
        String _ = handler.getFormatter().format(log);
        var _ = handler.getErrorManager();
    }
}
