package dev.serval.servlet.vault;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A vault in a folder that the predecessor of this server still has. The predecessor ends soon and
/// stores its sessions before. Until then, calls that need a session wait, so a session is never used
/// by two processes at the same time. A thread tries to open the folder, until that succeeds or the
/// time is over. Any thread that may block.
final class LateVault implements SharedVault {
    private static final long PAUSE_NANOS = 5_000_000;

    /// Opens the vault that is awaited.
    interface Opening {
        /// Opens it.
        ///
        /// @throws FolderTakenException if another server still has it
        SessionVault open() throws IOException;
    }

    private final String place;
    private final CompletableFuture<SessionVault> opened = new CompletableFuture<>();
    private final List<Runnable> actions = new ArrayList<>(); // under the lock, until it is opened
    private boolean known; // under the lock
    private int users = 1; // under the lock; 0 once closed

    private LateVault(String place) {
        this.place = place;
    }

    /// Starts to wait.
    ///
    /// @param place for messages
    /// @param patience after which calls fail
    static LateVault open(String place, Opening opening, Duration patience) {
        LateVault vault = new LateVault(place);
        long begin = System.nanoTime();
        Thread.ofPlatform()
                .daemon()
                .name("serval-sessions")
                .start(() -> vault.await(opening, begin, patience.toNanos()));
        return vault;
    }

    private void await(Opening opening, long begin, long nanos) {
        try {
            @Nullable SessionVault vault = null;
            while (vault == null && !isClosed()) {
                vault = attempt(opening, System.nanoTime() - begin >= nanos);
            }
            if (vault != null) {
                use(vault);
            }
        } catch (IOException | RuntimeException | Error e) {
            opened.completeExceptionally(e);
        }
    }

    /// Tries once; null if it must be tried again.
    private static @Nullable SessionVault attempt(Opening opening, boolean last)
            throws IOException {
        try {
            return opening.open();
        } catch (FolderTakenException e) {
            if (last) {
                throw e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            return null;
        }
    }

    /// Uses the vault from now on. Those who wait continue after the actions.
    private synchronized void use(SessionVault vault) {
        opened.complete(vault);
        if (users == 0) {
            vault.close();
            return;
        }
        known = true;
        actions.forEach(Runnable::run);
        actions.clear();
    }

    private synchronized boolean isClosed() {
        return users == 0;
    }

    @Override
    public synchronized boolean share() {
        users += users == 0 ? 0 : 1;
        return users > 0;
    }

    /// Returns the vault, after waiting for it.
    private SessionVault vault() throws IOException {
        try {
            return opened.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while " + place + " was awaited");
        } catch (ExecutionException e) {
            throw new IOException(
                    "The former server has not given back " + place + ": " + e.getCause(), e);
        }
    }

    private @Nullable SessionVault now() {
        return opened.isDone() && !opened.isCompletedExceptionally() ? opened.join() : null;
    }

    @Override
    public boolean isAwaited() {
        return now() == null;
    }

    @Override
    public synchronized void whenKnown(Runnable action) {
        if (known) {
            action.run();
        } else {
            actions.add(action);
        }
    }

    @Override
    public boolean mayContain(SessionKey key) {
        @Nullable SessionVault vault = now();
        return vault == null || vault.mayContain(key);
    }

    @Override
    public @Nullable StoredSession read(SessionKey key) throws IOException {
        return vault().read(key);
    }

    @Override
    public long write(SessionKey key, StoredSession session) throws IOException {
        return vault().write(key, session);
    }

    @Override
    public void touch(SessionKey key, long accessedMillis, int maxInactiveSeconds)
            throws IOException {
        vault().touch(key, accessedMillis, maxInactiveSeconds);
    }

    @Override
    public void remove(SessionKey key) throws IOException {
        vault().remove(key);
    }

    @Override
    public List<SessionKey> overdue(long nowMillis, int max) throws IOException {
        @Nullable SessionVault vault = now(); // the timer does not wait
        return vault == null ? List.of() : vault.overdue(nowMillis, max);
    }

    @Override
    public long version(SessionKey key) throws IOException {
        return vault().version(key);
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public int size() {
        @Nullable SessionVault vault = now();
        return vault == null ? 0 : vault.size();
    }

    @Override
    public long bytes() {
        @Nullable SessionVault vault = now();
        return vault == null ? 0 : vault.bytes();
    }

    @Override
    public synchronized void close() {
        users -= users == 0 ? 0 : 1;
        @Nullable SessionVault vault = users == 0 ? now() : null;
        if (vault != null) {
            vault.close(); // which counts one user
        }
    }
}
