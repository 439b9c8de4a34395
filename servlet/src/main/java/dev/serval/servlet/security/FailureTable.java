package dev.serval.servlet.security;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Slows down who guesses passwords. It counts the failures of each name and each address, and from
/// some number on each check waits first, longer with each failure. The right password waits, too,
/// or parallel guesses would not be slowed. Few checks may wait for one name or address at a time,
/// so that those who guess keep few threads.
///
/// Any thread that may wait. Its lock is held for a few instructions.
final class FailureTable {
    /// Failures of a name that delay nothing.
    static final int FREE_OF_NAME = 3;

    /// Failures of an address that delay nothing, because clients may share it.
    static final int FREE_OF_ADDRESS = 20;

    /// The checks that may wait for one name at a time.
    static final int WAITING_OF_NAME = 4;

    /// The checks that may wait for one address at a time.
    static final int WAITING_OF_ADDRESS = 32;

    /// The checks that may wait in all.
    static final int WAITING_MAX = 256;

    /// The longest delay of a name.
    static final long NAME_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// The longest delay of an address.
    static final long ADDRESS_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int DOUBLINGS_MAX = 10;

    /// The failures of one name or address.
    static final class Entry {
        int failures;
        int waiting;
        long lastNanos;
    }

    private final int entriesMax;
    private final long expiryNanos;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // by use
    private int waiting;

    FailureTable(int entriesMax, long expiryNanos) {
        this.entriesMax = entriesMax;
        this.expiryNanos = expiryNanos;
    }

    /// A check that may wait. Give it back by [#leave].
    ///
    /// @param ofName the failures of the name; null if there are none
    /// @param ofAddress those of the address
    /// @param delayNanos how long it must wait; often 0
    record Pass(@Nullable Entry ofName, @Nullable Entry ofAddress, long delayNanos) {}

    /// Begins a check.
    ///
    /// @return null if too many checks wait already
    synchronized @Nullable Pass enter(String name, String address, long nowNanos) {
        @Nullable Entry ofName = live(nameKey(name), nowNanos);
        @Nullable Entry ofAddress = live(addressKey(address), nowNanos);
        long delay =
                Math.max(
                        delay(ofName, FREE_OF_NAME, NAME_MAX_NANOS),
                        delay(ofAddress, FREE_OF_ADDRESS, ADDRESS_MAX_NANOS));
        if (delay == 0) {
            return new Pass(null, null, 0);
        }
        if (waiting >= WAITING_MAX
                || waiting(ofName) >= WAITING_OF_NAME
                || waiting(ofAddress) >= WAITING_OF_ADDRESS) {
            return null;
        }
        count(ofName, 1);
        count(ofAddress, 1);
        waiting++;
        return new Pass(ofName, ofAddress, delay);
    }

    /// Ends the wait of a check.
    synchronized void leave(Pass pass) {
        if (pass.delayNanos() > 0) {
            count(pass.ofName(), -1);
            count(pass.ofAddress(), -1);
            waiting--;
        }
    }

    /// Counts a wrong password.
    synchronized void failed(String name, String address, long nowNanos) {
        add(nameKey(name), nowNanos);
        add(addressKey(address), nowNanos);
    }

    /// Forgets the failures of a name, after its right password. Those of the address count on: it
    /// may have one right password and guess others.
    synchronized void succeeded(String name) {
        @Nullable Entry entry = entries.get(nameKey(name));
        if (entry != null) {
            entry.failures = 0;
            if (entry.waiting == 0) {
                entries.remove(nameKey(name));
            }
        }
    }

    synchronized int size() {
        return entries.size();
    }

    private static String nameKey(String name) {
        return "n" + name;
    }

    private static String addressKey(String address) {
        return "a" + address;
    }

    private @Nullable Entry live(String key, long nowNanos) {
        @Nullable Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (nowNanos - entry.lastNanos > expiryNanos && entry.waiting == 0) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    private static long delay(@Nullable Entry entry, int free, long maxNanos) {
        if (entry == null || entry.failures < free) {
            return 0;
        }
        int doublings = Math.min(entry.failures - free, DOUBLINGS_MAX);
        return Math.min(maxNanos, FIRST_NANOS << doublings);
    }

    private static int waiting(@Nullable Entry entry) {
        return entry == null ? 0 : entry.waiting;
    }

    private static void count(@Nullable Entry entry, int change) {
        if (entry != null) {
            entry.waiting += change;
        }
    }

    private void add(String key, long nowNanos) {
        Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
        entry.failures = Math.min(entry.failures + 1, Integer.MAX_VALUE - 1);
        entry.lastNanos = nowNanos;
        if (entries.size() > entriesMax) {
            evict();
        }
    }

    /// Removes the entry that was used least recently.
    private void evict() {
        Iterator<Entry> oldest = entries.values().iterator();
        oldest.next();
        oldest.remove();
    }
}
