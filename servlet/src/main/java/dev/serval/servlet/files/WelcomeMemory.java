package dev.serval.servlet.files;

import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.map.Match;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Remembers what answered each folder last: a servlet or a file. A Worker looks at the disk and
/// writes it down. The loop reads it, and may pass a folder to the file handler for a second, which
/// is as long as the file handler itself trusts what it knows. Any thread.
public final class WelcomeMemory {
    /// Folders that nothing answers are not remembered, so clients cannot fill it.
    private static final int FOLDERS_MAX = 1_024;

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Answer> byFolder = new ConcurrentHashMap<>();
    private final LongSupplier nanoClock;

    /// @param nanoClock the time, as System#nanoTime
    public WelcomeMemory(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// What answered a folder.
    ///
    /// @param servlet null if a file did
    record Answer(@Nullable Match<ServletSlot> servlet, long seenNanos) {}

    /// Notes what answers a folder now.
    ///
    /// @param folder from the context root, with a slash at the end
    /// @param servlet null if a file does
    public void note(String folder, @Nullable Match<ServletSlot> servlet) {
        if (byFolder.size() < FOLDERS_MAX || byFolder.containsKey(folder)) {
            byFolder.put(folder, new Answer(servlet, nanoClock.getAsLong()));
        }
    }

    /// Forgets a folder that nothing answers any more.
    public void forget(String folder) {
        byFolder.remove(folder);
    }

    /// Returns the servlet that answered a folder last; null if a file did, or it is not known.
    @Nullable
    public Match<ServletSlot> servlet(String folder) {
        @Nullable Answer last = byFolder.get(folder);
        return last == null ? null : last.servlet();
    }

    /// Returns whether a file has answered a folder within the last second.
    public boolean isFile(String folder) {
        @Nullable Answer last = byFolder.get(folder);
        return last != null
                && last.servlet() == null
                && nanoClock.getAsLong() - last.seenNanos() < FRESH_NANOS;
    }
}
