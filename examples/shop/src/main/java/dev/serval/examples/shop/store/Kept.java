package dev.serval.examples.shop.store;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Lists of books that are kept for a while, one for each subject. May be used by any thread.
final class Kept {
    private final long nanos;
    private final LongSupplier clock;

    /// One list for each subject at most.
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    private record Entry(long since, List<BookCard> books) {}

    /// @param nanos how old a list may be
    /// @param clock the time in nanoseconds
    Kept(long nanos, LongSupplier clock) {
        this.nanos = nanos;
        this.clock = clock;
    }

    /// Returns the list of a subject. Two threads may make it at the same time, and one is kept.
    ///
    /// @param make makes a list that is missing or too old
    List<BookCard> of(String subject, Function<String, List<BookCard>> make) {
        long now = clock.getAsLong();
        Entry entry = entries.get(subject);
        if (entry == null || now - entry.since > nanos) {
            entry = new Entry(now, make.apply(subject));
            entries.put(subject, entry);
        }
        return entry.books;
    }
}
