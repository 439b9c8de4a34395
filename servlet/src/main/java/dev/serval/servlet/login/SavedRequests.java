package dev.serval.servlet.login;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The contents and the long targets of requests that wait for a login by form. A session keeps only
/// the key, so the memory is bounded however many sessions there are: the oldest requests are
/// dropped, and continue as a GET. Any thread that may wait.
final class SavedRequests {
    private final int maxBytes;
    private final Map<String, SavedRequest> byKey = new LinkedHashMap<>(); // oldest first
    private int bytes;

    SavedRequests(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Keeps a request.
    ///
    /// @param key chosen by the caller, unknown to clients
    synchronized void put(String key, SavedRequest request) {
        @Nullable SavedRequest before = byKey.put(key, request);
        bytes += request.bytes() - (before == null ? 0 : before.bytes());
        Iterator<SavedRequest> oldest = byKey.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    /// Returns the target of a request; null if it was dropped.
    synchronized @Nullable String target(String key) {
        @Nullable SavedRequest found = byKey.get(key);
        return found == null ? null : found.target();
    }

    /// Returns and forgets a request; null if it was dropped.
    synchronized @Nullable SavedRequest take(String key) {
        @Nullable SavedRequest found = byKey.remove(key);
        if (found != null) {
            bytes -= found.bytes();
        }
        return found;
    }

    synchronized int bytes() {
        return bytes;
    }
}
