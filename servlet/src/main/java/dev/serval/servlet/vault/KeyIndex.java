package dev.serval.servlet.vault;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Knows which sessions are stored, with deadline and size: 24 bytes in four arrays for each place,
/// so a million sessions take about 50 MB. So a look-up of an unknown id costs no file access.
///
/// Open addressing with linear probing. Each stripe has a lock, held for a few instructions. Any
/// thread but an event loop.
final class KeyIndex {
    /// What the index knows of a session.
    ///
    /// @param blocks its size; 0 if it is not stored
    /// @param confirmed whether a client has returned the id
    record Entry(int blocks, boolean confirmed) {
        static final Entry NONE = new Entry(0, true);
    }

    private static final int STRIPES = 64; // a power of two
    private static final int NEVER = Integer.MAX_VALUE;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final long originMillis;
    private final AtomicInteger sweeps = new AtomicInteger();

    /// Creates an empty index.
    ///
    /// @param originMillis deadlines are kept in seconds from here, for 68 years
    KeyIndex(long originMillis) {
        this.originMillis = originMillis;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    private Stripe stripe(SessionKey key) {
        return stripes[(int) (key.high() >>> 58) & (STRIPES - 1)];
    }

    boolean contains(SessionKey key) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return stripe.isAt(stripe.place(key), key);
        }
    }

    /// Returns what is known of a session.
    Entry get(SessionKey key) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            int at = stripe.place(key);
            return stripe.isAt(at, key) ? stripe.entry(at) : Entry.NONE;
        }
    }

    /// Adds or replaces a session, and returns what was known of it.
    Entry put(SessionKey key, long deadlineMillis, Entry entry) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return stripe.put(key, seconds(deadlineMillis), entry);
        }
    }

    /// Changes the deadline of a session, if it is known.
    ///
    /// @return whether it is
    boolean touch(SessionKey key, long deadlineMillis) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            int at = stripe.place(key);
            if (!stripe.isAt(at, key)) {
                return false;
            }
            stripe.deadline[at] = seconds(deadlineMillis);
            return true;
        }
    }

    /// Removes a session, and returns what was known of it.
    Entry remove(SessionKey key) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return stripe.remove(key);
        }
    }

    /// Returns sessions of the next stripe whose deadline has passed; all of them for
    /// [Long#MAX_VALUE].
    List<SessionKey> overdue(long nowMillis, int max) {
        List<SessionKey> found = new ArrayList<>();
        Stripe stripe = stripes[sweeps.getAndIncrement() & (STRIPES - 1)];
        synchronized (stripe) {
            stripe.overdue(seconds(nowMillis), max, found);
        }
        return found;
    }

    private int seconds(long millis) {
        if (millis == Long.MAX_VALUE) {
            return NEVER;
        }
        return Math.clamp((millis - originMillis) / 1_000, -NEVER, NEVER - 1);
    }

    /// A hash table. Both halves of a key are zero in an empty place, which no real key has.
    private static final class Stripe {
        private long[] high = new long[16];
        private long[] low = new long[16];
        private int[] deadline = new int[16];
        private int[] blocks = new int[16]; // negative if unconfirmed
        private int size;

        /// Returns where the key is, or the empty place where it would be.
        int place(SessionKey key) {
            int mask = high.length - 1;
            int at = (int) key.low() & mask;
            while (!isEmpty(at) && !isAt(at, key)) {
                at = (at + 1) & mask;
            }
            return at;
        }

        boolean isEmpty(int at) {
            return high[at] == 0 && low[at] == 0;
        }

        boolean isAt(int at, SessionKey key) {
            return high[at] == key.high() && low[at] == key.low();
        }

        Entry put(SessionKey key, int seconds, Entry entry) {
            int at = place(key);
            Entry before = isEmpty(at) ? Entry.NONE : entry(at);
            if (isEmpty(at)) {
                if ((size + 1) * 4 > high.length * 3) {
                    grow();
                    at = place(key);
                }
                size++;
            }
            set(at, key.high(), key.low(), seconds, entry);
            return before;
        }

        private void set(int at, long keyHigh, long keyLow, int seconds, Entry entry) {
            high[at] = keyHigh;
            low[at] = keyLow;
            deadline[at] = seconds;
            blocks[at] = entry.confirmed() ? entry.blocks() : -entry.blocks();
        }

        private Entry entry(int at) {
            return new Entry(Math.abs(blocks[at]), blocks[at] >= 0);
        }

        private void grow() {
            long[] oldHigh = high;
            long[] oldLow = low;
            int[] oldDeadline = deadline;
            int[] oldBlocks = blocks;
            int length = oldHigh.length * 2;
            high = new long[length];
            low = new long[length];
            deadline = new int[length];
            blocks = new int[length];
            for (int i = 0; i < oldHigh.length; i++) {
                if (oldHigh[i] != 0 || oldLow[i] != 0) {
                    int at = place(new SessionKey(oldHigh[i], oldLow[i]));
                    high[at] = oldHigh[i];
                    low[at] = oldLow[i];
                    deadline[at] = oldDeadline[i];
                    blocks[at] = oldBlocks[i];
                }
            }
        }

        /// Removes a key and moves later ones of its run, so that no place is lost.
        Entry remove(SessionKey key) {
            int at = place(key);
            if (isEmpty(at)) {
                return Entry.NONE;
            }
            Entry before = entry(at);
            int mask = high.length - 1;
            int hole = at;
            for (int next = (hole + 1) & mask; !isEmpty(next); next = (next + 1) & mask) {
                int wanted = (int) low[next] & mask;
                // Whether the hole lies on the way from the wanted place to this one.
                if (((next - wanted) & mask) >= ((next - hole) & mask)) {
                    high[hole] = high[next];
                    low[hole] = low[next];
                    deadline[hole] = deadline[next];
                    blocks[hole] = blocks[next];
                    hole = next;
                }
            }
            high[hole] = 0;
            low[hole] = 0;
            size--;
            return before;
        }

        void overdue(int nowSeconds, int max, List<SessionKey> found) {
            for (int i = 0; i < high.length && found.size() < max; i++) {
                boolean due = nowSeconds == NEVER || deadline[i] < nowSeconds;
                if (!isEmpty(i) && due) {
                    found.add(new SessionKey(high[i], low[i]));
                }
            }
        }
    }
}
