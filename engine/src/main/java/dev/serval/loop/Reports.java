package dev.serval.loop;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

/// Receives reports of what goes wrong on loops: faults of the server, and events of the
/// environment. Any thread.
///
/// An event loop never logs by itself. Application code may hold a lock of the logger while it
/// waits for that very loop.
public interface Reports {
    /// Logs at once, on the calling thread. For loops that run no application code.
    Reports AT_ONCE =
            new Reports() {
                @Override
                public void warning(String what) {
                    System.getLogger(Reports.class.getName()).log(WARNING, what);
                }

                @Override
                public void fault(String what, Throwable fault) {
                    System.getLogger(Reports.class.getName()).log(ERROR, what, fault);
                }

                @Override
                public void lost(String what, Throwable why) {
                    System.getLogger(Reports.class.getName()).log(DEBUG, what, why);
                }
            };

    /// Returns `text`, but not as a constant of javac. The JVM resolves a constant at its first
    /// use, and memory may have run out by then.
    static String text(String text) {
        return text;
    }

    /// Reports a fault. Never waits and never throws.
    void fault(String what, Throwable fault);

    /// Reports that a thread which the server needs cannot continue.
    default void fatal(String what, Throwable why) {
        fault(what, why);
    }

    /// Reports something that the operator of the server can change. Never waits and never throws.
    default void warning(String what) {}

    /// Reports an event of the environment, such as a lost client. Never waits and never throws.
    void lost(String what, Throwable why);
}
