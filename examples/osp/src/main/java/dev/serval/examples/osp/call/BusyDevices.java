package dev.serval.examples.osp.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The destinations that said by CapabilitiesIndication that they are almost out of resources. They
/// come last among the destinations of a call, for a minute or until they take it back.
final class BusyDevices {
    private static final int DEVICES_MAX = 1_000;
    private static final long BUSY_SECONDS = 60;

    private final Map<String, Long> busyUntil = new LinkedHashMap<>();
    private volatile Set<String> current = Set.of();
    private volatile long currentUntil = Long.MAX_VALUE;

    /// Notes what a device said.
    ///
    /// @param address of a destination in the route table
    synchronized void report(String address, boolean almostOut, long second) {
        busyUntil.remove(address);
        if (almostOut) {
            busyUntil.put(address, second + BUSY_SECONDS);
            if (busyUntil.size() > DEVICES_MAX) {
                busyUntil.remove(busyUntil.keySet().iterator().next());
            }
        }
        refresh(second);
    }

    /// Returns the addresses that are busy in this second.
    Set<String> at(long second) {
        if (second >= currentUntil) {
            synchronized (this) {
                refresh(second);
            }
        }
        return current;
    }

    private void refresh(long second) {
        busyUntil.values().removeIf(until -> until <= second);
        current = busyUntil.keySet().stream().collect(Collectors.toUnmodifiableSet());
        currentUntil =
                busyUntil.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }
}
