package dev.serval.examples.shop.cover;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The covers that were drawn last. Each book has one slot, which it may share with others, so the
/// covers never take more memory than the slots allow. May be used by any thread, without a lock.
public final class Covers {
    private final AtomicReferenceArray<@Nullable Drawn> slots;

    /// A cover.
    ///
    /// @param design the number of its design
    public record Drawn(int book, int design, byte[] svg) {}

    /// @param slots how many covers are kept at most
    public Covers(int slots) {
        this.slots = new AtomicReferenceArray<>(slots);
    }

    /// Returns the kept cover of a book, or null.
    public @Nullable Drawn of(int book) {
        Drawn drawn = slots.get(slot(book));
        return drawn != null && drawn.book == book ? drawn : null;
    }

    /// Keeps a cover.
    public void keep(Drawn drawn) {
        slots.set(slot(drawn.book), drawn);
    }

    private int slot(int book) {
        return Math.floorMod(book, slots.length());
    }
}
