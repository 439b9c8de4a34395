package dev.serval.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Makes a logger fail as it does after memory ran out while its classes were initialised: each
/// message throws NoClassDefFoundError, until [#close]. Any thread.
public final class BrokenLog implements AutoCloseable {
    private final AtomicInteger messages = new AtomicInteger();
    private final Logger logger;
    private final Handler broken =
            new Handler() {
                @Override
                public void publish(LogRecord message) {
                    messages.incrementAndGet();
                    throw new NoClassDefFoundError("meant: the logger is broken");
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /// Breaks the logger of a class.
    public BrokenLog(Class<?> type) {
        logger = Logger.getLogger(type.getName());
        logger.setUseParentHandlers(false);
        logger.addHandler(broken);
    }

    /// Returns how many messages were to be logged.
    public int messages() {
        return messages.get();
    }

    @Override
    public void close() {
        logger.removeHandler(broken);
        logger.setUseParentHandlers(true);
    }
}
