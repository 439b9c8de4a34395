package dev.serval.figures;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/// Reads the figures of the process and of its JVM. The classes for that are loaded at the first
/// reading. What a system does not tell is left out. Stateless.
final class ProcessFigures {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final long KIB = 1 << 10;
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessFigures() {}

    static void add(Exposition to) {
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof UnixOperatingSystemMXBean system) {
            to.add(Metric.PROCESS_CPU, system.getProcessCpuTime() / NANOS_PER_SECOND);
            to.add(Metric.PROCESS_FILES, system.getOpenFileDescriptorCount());
            to.add(Metric.PROCESS_FILES_MAX, system.getMaxFileDescriptorCount());
        }
        to.add(
                Metric.PROCESS_START,
                ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
        List<String> status = status();
        bytes(status, "VmRSS:").ifPresent(bytes -> to.add(Metric.PROCESS_RESIDENT, bytes));
        bytes(status, "VmSize:").ifPresent(bytes -> to.add(Metric.PROCESS_VIRTUAL, bytes));
        memory(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage(), "heap", to);
        memory(ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage(), "nonheap", to);
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            to.add(Metric.JVM_BUFFERS, pool.getMemoryUsed(), pool.getName());
        }
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            to.addSummary(
                    Metric.JVM_COLLECTIONS,
                    gc.getCollectionCount(),
                    gc.getCollectionTime() / MILLIS_PER_SECOND,
                    gc.getName());
        }
        to.add(Metric.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
        to.add(Metric.JVM_CLASSES, ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    }

    private static void memory(MemoryUsage usage, String area, Exposition to) {
        to.add(Metric.JVM_USED, usage.getUsed(), area);
        to.add(Metric.JVM_COMMITTED, usage.getCommitted(), area);
        if (usage.getMax() >= 0) {
            to.add(Metric.JVM_MAX, usage.getMax(), area);
        }
    }

    /// Returns the memory in use of the machine's, in bytes.
    static OptionalLong residentBytes() {
        return bytes(status(), "VmRSS:");
    }

    private static List<String> status() {
        try {
            return Files.readAllLines(STATUS);
        } catch (IOException e) {
            return List.of(); // only Linux has it
        }
    }

    private static OptionalLong bytes(List<String> status, String key) {
        for (String line : status) {
            if (line.startsWith(key)) {
                String digits = line.replaceAll("\\D", "");
                return digits.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(digits) * KIB);
            }
        }
        return OptionalLong.empty();
    }
}
