package dev.serval.loop;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

/// Hears of what goes wrong on loops: faults of ours, and what the environment did. Any thread.
///
/// An event loop never logs by itself: application code may hold a lock of the logger while it waits
/// for that very loop.
public interface Reports {
    /// Logs at once, on the calling thread: for loops that run no application code.
    Reports AT_ONCE =
            new Reports() {
                @Override
                public void fault(String what, Throwable fault) {
                    System.getLogger(Reports.class.getName()).log(ERROR, what, fault);
                }

                @Override
                public void lost(String what, Throwable why) {
                    System.getLogger(Reports.class.getName()).log(DEBUG, what, why);
                }
            };

    /// Returns `text`, which then is no constant to javac: a constant is made when it is first used, and
    /// for that there may be no memory where memory ran out.
    static String text(String text) {
        return text;
    }

    /// Takes note of a fault; never waits and never throws.
    void fault(String what, Throwable fault);

    /// A thread that the server needs cannot go on.
    default void fatal(String what, Throwable why) {
        fault(what, why);
    }

    /// Takes note of something that the environment did, where anybody wants to know. Likewise.
    void lost(String what, Throwable why);
}
