package dev.serval.log;

import dev.serval.handler.AccessRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One access log: receives the exchanges of a server or of some mounts, and writes a line for each,
/// unless it is off. Its file and format may change while it is in use. Loops call it; any thread
/// asks for its settings.
public final class AccessLog implements AccessRecord.Listener {
    private final AccessLogs logs;
    private volatile @Nullable LogTarget target;

    AccessLog(AccessLogs logs) {
        this.logs = logs;
    }

    @Override
    public void ended(AccessRecord exchange) {
        @Nullable LogTarget to = target;
        if (to != null) {
            logs.write(exchange, to);
        }
    }

    /// Returns whether any log of the process tells how long something took, because an exchange may
    /// end in another mount, and so in another log, than it began.
    @Override
    public boolean timed() {
        return logs.timed();
    }

    /// Returns where it writes; empty if it is off.
    public Optional<LogSettings> settings() {
        return Optional.ofNullable(target).map(LogTarget::settings);
    }

    boolean writesTo(LogFile file) {
        @Nullable LogTarget to = target;
        return to != null && to.file().equals(file);
    }

    void target(@Nullable LogTarget next) {
        target = next;
    }
}
