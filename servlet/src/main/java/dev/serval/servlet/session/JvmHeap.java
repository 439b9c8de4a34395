package dev.serval.servlet.session;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// Reads the part of this JVM's heap where objects stay. The first reading loads the classes of
/// java.management, so it is made only if there are many sessions. Any thread.
public final class JvmHeap implements HeapGauge {
    /// Holds the pool, so that it is searched at the first use.
    private static final class Pool {
        static final @Nullable MemoryPoolMXBean OLD = old();
    }

    /// Creates the gauge.
    public JvmHeap() {}

    @Override
    public Reading latest() {
        @Nullable MemoryPoolMXBean old = Pool.OLD;
        @Nullable MemoryUsage usage = old == null ? null : old.getCollectionUsage();
        return usage == null || usage.getMax() <= 0
                ? Reading.NONE
                : new Reading(usage.getUsed(), usage.getMax());
    }

    /// Returns the largest pool of the heap that collectors report on, which is the old one; null
    /// if this JVM has none.
    private static @Nullable MemoryPoolMXBean old() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(pool -> pool.getCollectionUsage() != null)
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()))
                .orElse(null);
    }
}
