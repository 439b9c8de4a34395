package dev.serval.servlet.password;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Slows down who guesses passwords. It counts the failures of each name and each address, and from
/// some number on each check waits first, longer with each failure. The right password waits, too,
/// or parallel guesses would not be slowed. A guess that is being checked counts as a failure, or
/// many could begin before the first one has failed.
///
/// Few checks may wait at a time, so that those who guess keep few threads. Addresses with failures
/// get only a part of the places, so that they cannot keep out the user of a name, who has another
/// address.
///
/// Names are compared without case and outer blanks, because databases do so, too. Any thread that
/// may wait. Its lock is held for a few instructions.
final class FailureTable {
    /// Failures of a name that delay nothing.
    static final int FREE_OF_NAME = 3;

    /// Failures of an address that delay nothing, because clients may share it.
    static final int FREE_OF_ADDRESS = 20;

    /// With so many failures, an address is suspect.
    static final int SUSPECT_FAILURES = 3;

    /// The checks that may wait for one name from one address at a time.
    static final int WAITING_OF_PAIR = 4;

    /// The checks that may wait for one name at a time.
    static final int WAITING_OF_NAME = 24;

    /// Those of them that suspect addresses do not get.
    static final int KEPT_OF_NAME = 8;

    /// The checks that may wait for one address at a time.
    static final int WAITING_OF_ADDRESS = 32;

    /// The checks that may wait in all.
    static final int WAITING_MAX = 256;

    /// Those of them that suspect addresses do not get.
    static final int KEPT_MAX = 64;

    /// The longest delay of a name.
    static final long NAME_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// The longest delay of an address.
    static final long ADDRESS_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int DOUBLINGS_MAX = 10;

    /// The failures of one name or address.
    static final class Entry {
        int failures;
        int running; // checks that have begun and may fail, those that wait included
        int waiting;
        long lastNanos;
        @Nullable String sentAs; // the name of all failures as it was sent; null if they differ
    }

    /// A name and an address.
    record Pair(String nameKey, String addressKey) {}

    private final int entriesMax;
    private final long expiryNanos;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // by use
    private final Map<Pair, Integer> waitingOfPairs = new HashMap<>(); // at most as many as wait
    private int waiting;

    FailureTable(int entriesMax, long expiryNanos) {
        this.entriesMax = entriesMax;
        this.expiryNanos = expiryNanos;
    }

    /// A check that may wait. Give it back by [#leave].
    ///
    /// @param pair its name and address
    /// @param ofName the failures of the name; null if the check is not counted
    /// @param ofAddress those of the address
    /// @param delayNanos how long it must wait; often 0
    /// @param isSuspect whether it waits and its address has failures
    record Pass(
            Pair pair,
            @Nullable Entry ofName,
            @Nullable Entry ofAddress,
            long delayNanos,
            boolean isSuspect) {}

    /// Begins a check.
    ///
    /// @param isCounted whether it counts as a failure until it ends. If it does not, a client may
    ///     run many at a time
    /// @return null if too many checks wait already
    synchronized @Nullable Pass enter(
            String name, String address, boolean isCounted, long nowNanos) {
        Pair pair = new Pair(nameKey(name), addressKey(address));
        @Nullable Entry ofName = live(pair.nameKey(), nowNanos);
        @Nullable Entry ofAddress = live(pair.addressKey(), nowNanos);
        long delay =
                Math.max(
                        delay(ofName, FREE_OF_NAME, NAME_MAX_NANOS),
                        delay(ofAddress, FREE_OF_ADDRESS, ADDRESS_MAX_NANOS));
        boolean isSuspect = delay > 0 && failures(ofAddress) >= SUSPECT_FAILURES;
        if (delay == 0 && !isCounted) {
            return new Pass(pair, null, null, 0, false);
        }
        if (delay > 0 && !hasPlace(pair, ofName, ofAddress, isSuspect)) {
            return null;
        }
        Pass pass =
                new Pass(pair, entry(pair.nameKey()), entry(pair.addressKey()), delay, isSuspect);
        count(pass, 1);
        return pass;
    }

    private boolean hasPlace(
            Pair pair, @Nullable Entry ofName, @Nullable Entry ofAddress, boolean isSuspect) {
        int keptOfName = isSuspect ? KEPT_OF_NAME : 0;
        int kept = isSuspect ? KEPT_MAX : 0;
        return waiting < WAITING_MAX - kept
                && waiting(ofName) < WAITING_OF_NAME - keptOfName
                && waitingOfPairs.getOrDefault(pair, 0) < WAITING_OF_PAIR
                && waiting(ofAddress) < WAITING_OF_ADDRESS;
    }

    /// Ends a check.
    synchronized void leave(Pass pass) {
        count(pass, -1);
        forgetIfEmpty(pass.pair().nameKey(), pass.ofName());
        forgetIfEmpty(pass.pair().addressKey(), pass.ofAddress());
    }

    private void count(Pass pass, int change) {
        if (pass.ofName() == null || pass.ofAddress() == null) {
            return;
        }
        // Not those of the address: behind a proxy many users with right passwords may share it.
        pass.ofName().running += change;
        if (pass.delayNanos() > 0) {
            pass.ofName().waiting += change;
            pass.ofAddress().waiting += change;
            waiting += change;
            int left = waitingOfPairs.getOrDefault(pass.pair(), 0) + change;
            if (left == 0) {
                waitingOfPairs.remove(pass.pair());
            } else {
                waitingOfPairs.put(pass.pair(), left);
            }
        }
    }

    /// Counts a wrong password.
    synchronized void failed(String name, String address, long nowNanos) {
        Entry ofName = add(nameKey(name), nowNanos);
        ofName.sentAs = ofName.failures == 1 || name.equals(ofName.sentAs) ? name : null;
        add(addressKey(address), nowNanos);
    }

    /// Forgets the failures of a name, after its right password. Those of the address count on: it
    /// may have one right password and guess others. So do those of a name that was sent in
    /// another way, because it may be the name of another user.
    synchronized void succeeded(String name) {
        @Nullable Entry entry = entries.get(nameKey(name));
        if (entry != null && name.equals(entry.sentAs)) {
            entry.failures = 0;
            entry.sentAs = null;
            forgetIfEmpty(nameKey(name), entry);
        }
    }

    synchronized int size() {
        return entries.size();
    }

    private static String nameKey(String name) {
        return "n" + name.strip().toLowerCase(Locale.ROOT);
    }

    private static String addressKey(String address) {
        return "a" + address;
    }

    private @Nullable Entry live(String key, long nowNanos) {
        @Nullable Entry entry = entries.get(key);
        if (entry != null && entry.failures > 0 && nowNanos - entry.lastNanos > expiryNanos) {
            entry.failures = 0;
            entry.sentAs = null;
            forgetIfEmpty(key, entry);
        }
        return entry;
    }

    private void forgetIfEmpty(String key, @Nullable Entry entry) {
        if (entry != null && entry.failures == 0 && entry.running == 0 && entry.waiting == 0) {
            boolean _ = entries.remove(key, entry); // unless another one has its place
        }
    }

    private static int failures(@Nullable Entry entry) {
        return entry == null ? 0 : entry.failures + entry.running;
    }

    private static long delay(@Nullable Entry entry, int free, long maxNanos) {
        if (failures(entry) < free) {
            return 0;
        }
        int doublings = Math.min(failures(entry) - free, DOUBLINGS_MAX);
        return Math.min(maxNanos, FIRST_NANOS << doublings);
    }

    private static int waiting(@Nullable Entry entry) {
        return entry == null ? 0 : entry.waiting;
    }

    private Entry add(String key, long nowNanos) {
        Entry entry = entry(key);
        entry.failures = Math.min(entry.failures + 1, Integer.MAX_VALUE / 2);
        entry.lastNanos = nowNanos;
        return entry;
    }

    private Entry entry(String key) {
        Entry entry = entries.computeIfAbsent(key, _ -> new Entry());
        if (entries.size() > entriesMax) {
            evict();
        }
        return entry;
    }

    /// Removes the entry that was used least recently.
    private void evict() {
        Iterator<Entry> oldest = entries.values().iterator();
        oldest.next();
        oldest.remove();
    }
}
