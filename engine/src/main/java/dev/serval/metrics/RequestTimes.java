package dev.serval.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The requests of one loop that have ended: statuses and times by mount, and the slowest ones. Memory
/// for a mount is taken with its first request, and kept. Owned by the loop; any thread may read.
public final class RequestTimes implements LoopMeter.Observer {
    private final AtomicReferenceArray<@Nullable MountTimes> mounts;
    private final SlowRequests slow = new SlowRequests();
    private @Nullable MountTimes firstWaiting;

    /// Creates times without requests.
    ///
    /// @param mountsMax one more than the largest number of a mount
    public RequestTimes(int mountsMax) {
        this.mounts = new AtomicReferenceArray<>(mountsMax);
    }

    /// Records a request that has ended.
    ///
    /// @param mountName the name of its mount
    /// @param nowNanos the loop's clock
    public void ended(EndedRequest request, String mountName, long nowNanos) {
        MountTimes mount = mount(request.mount());
        mount.count(request.status(), request.isRefused());
        long total = request.totalNanos();
        if (total < 0) {
            return;
        }
        if (total > 0) {
            mount.record(request);
        } else if (mount.await()) {
            mount.nextWaiting = firstWaiting;
            firstWaiting = mount;
        }
        if (slow.takes(total + request.nanos(RequestPhase.HEAD), nowNanos)) {
            slow.add(request, mountName, nowNanos);
        }
    }

    @Override
    public boolean awaitsFlush() {
        return firstWaiting != null;
    }

    @Override
    public void flushed(long nanos) {
        @Nullable MountTimes next = firstWaiting;
        firstWaiting = null;
        while (next != null) {
            MountTimes one = next;
            next = one.nextWaiting;
            one.nextWaiting = null;
            one.flush(nanos);
        }
    }

    /// Returns the figures of a mount. Any thread.
    public MountFigures read(int mount, String name) {
        @Nullable MountTimes times = mounts.getAcquire(mount);
        return times == null ? MountFigures.none(name) : times.read(name);
    }

    /// Adds the figures of a mount to sums, without phases. Any thread.
    public void addTo(MountTotals sums, int mount) {
        @Nullable MountTimes times = mounts.getAcquire(mount);
        if (times != null) {
            times.addTo(sums);
        }
    }

    /// Returns the slowest requests of the last minutes, in no order. Any thread.
    public List<SlowRequest> slow() {
        return new ArrayList<>(slow.read());
    }

    private MountTimes mount(int number) {
        @Nullable MountTimes known = mounts.getPlain(number);
        if (known != null) {
            return known;
        }
        MountTimes first = new MountTimes();
        mounts.setRelease(number, first);
        return first;
    }
}
