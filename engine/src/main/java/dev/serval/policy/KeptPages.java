package dev.serval.policy;

import dev.serval.http.Status;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Makes the engine's own error pages and keeps the last page of each status. A kept page serves
/// again while status and text stay the same, as in a flood of requests for missing resources.
/// Bounded by the number of status codes. Any thread.
final class KeptPages implements ErrorPages {
    private static final int CODES = 600;

    /// @param page must not be changed
    private record Kept(Status status, String what, byte[] page) {}

    private final AtomicReferenceArray<@Nullable Kept> byCode = new AtomicReferenceArray<>(CODES);

    @Override
    public byte[] page(Status status, String what) {
        @Nullable Kept kept = byCode.get(status.code());
        if (kept == null || !kept.status.equals(status) || !kept.what.equals(what)) {
            kept = new Kept(status, what, ErrorPages.SHORT.page(status, what));
            byCode.set(status.code(), kept);
        }
        return kept.page;
    }
}
