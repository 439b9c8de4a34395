package dev.serval.servlet.kept;

import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets a test do something between two steps of a vault, once.
final class HookedVault implements SessionVault {
    volatile Runnable afterLook = () -> {};
    volatile Runnable beforeWrite = () -> {};
    volatile Runnable beforeRemove = () -> {};
    volatile Runnable beforeVersion = () -> {};
    int versions; // that were read
    int reads; // of sessions
    volatile boolean refusesToRemove;
    private final SessionVault vault;

    HookedVault(SessionVault vault) {
        this.vault = vault;
    }

    @Override
    public String place() {
        return vault.place();
    }

    @Override
    public boolean mayContain(SessionKey key) {
        boolean found = vault.mayContain(key);
        Runnable now = afterLook;
        afterLook = () -> {};
        now.run();
        return found;
    }

    @Override
    public @Nullable StoredSession read(SessionKey key) throws IOException {
        reads++;
        return vault.read(key);
    }

    @Override
    public long write(SessionKey key, StoredSession session) throws IOException {
        Runnable now = beforeWrite;
        beforeWrite = () -> {};
        now.run();
        return vault.write(key, session);
    }

    @Override
    public void touch(SessionKey key, long accessedMillis, int maxInactiveSeconds)
            throws IOException {
        vault.touch(key, accessedMillis, maxInactiveSeconds);
    }

    @Override
    public void remove(SessionKey key) throws IOException {
        if (refusesToRemove) {
            throw new IOException("refused for the test");
        }
        Runnable now = beforeRemove;
        beforeRemove = () -> {};
        now.run();
        vault.remove(key);
    }

    @Override
    public List<SessionKey> overdue(long nowMillis, int max) throws IOException {
        return vault.overdue(nowMillis, max);
    }

    @Override
    public long version(SessionKey key) throws IOException {
        versions++;
        Runnable now = beforeVersion;
        beforeVersion = () -> {};
        now.run();
        return vault.version(key);
    }

    @Override
    public boolean isShared() {
        return vault.isShared();
    }

    @Override
    public int size() {
        return vault.size();
    }

    @Override
    public long bytes() {
        return vault.bytes();
    }

    @Override
    public void close() {
        vault.close();
    }
}
