package dev.serval.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Frees memory if the connections of a loop together hold more than the limit allows.
///
/// First, every connection returns the memory that it does not need at present, which its client
/// does not notice. If that is not enough, connections end, in this order:
///
/// 1. There are two kinds of memory. One is waiting input, such as an incomplete head. The other is
///    the memory of requests in progress, such as answers that a client does not read. Connections
///    of the kind that takes more end until both take the same, then connections of both. So a
///    flood of one kind cannot evict connections of the other, and a flood of both kinds not all
///    connections of one.
/// 2. Of that kind, connections with the largest power of two end first, and among these the
///    oldest. So a client that sends an ordinary head in two packets stays. A client with a long
///    head has as much time as the flood needs to fill the memory.
///
/// A connection that ended may leave memory behind that a task still reads. Nothing can free it
/// sooner. It counts here only up to half of the goal, so that open connections always keep the other
/// half.
///
/// Each run frees an eighth of the limit. It looks at all connections of the loop, so it must not
/// run for each new connection. Owned by the loop.
final class Relief {
    private static final int FREED_SHARE = 8;
    private static final int EXHAUSTED_SHARE = 4;
    private static final int CLASSES = Long.SIZE + 1;

    /// The pause before the next run if a run could free nothing.
    private static final long PAUSE_NANOS = 10_000_000;

    /// Represents a connection that may have to end.
    ///
    /// @param bytes bytes that it holds of the kind to free
    /// @param since when it began to hold them, or the connection's number
    private record Candidate(Connection connection, long bytes, long since) {
        int sizeClass() {
            return Relief.sizeClass(bytes);
        }
    }

    private static final Comparator<Candidate> ORDER =
            Comparator.comparingInt(Candidate::sizeClass)
                    .reversed()
                    .thenComparingLong(Candidate::since)
                    .thenComparingLong(one -> one.connection.id());

    private final NetLoop net;
    private final long heldMaxBytes;
    private final long goal;
    private final long[] bytesByClass = new long[CLASSES];
    private long pausedUntilNanos = Long.MIN_VALUE;

    Relief(NetLoop net, long heldMaxBytes) {
        this.net = net;
        this.heldMaxBytes = heldMaxBytes;
        this.goal = heldMaxBytes - heldMaxBytes / FREED_SHARE;
    }

    /// Frees memory down to seven eighths of the limit.
    void run() {
        long now = net.loop().nowNanos();
        if (now < pausedUntilNanos) {
            return;
        }
        long before = net.pool().held();
        net.forEach(Connection::trim);
        if (counted() > goal) {
            preemptSome();
        }
        if (net.pool().held() >= before) {
            pausedUntilNanos = now + PAUSE_NANOS;
        }
    }

    /// Frees half of the held memory after an allocation of the loop failed. The heap is then full
    /// of other objects too, so the limit does not help. Allocates nothing itself. Small
    /// connections end only if the large ones are not enough. If all connections together hold
    /// little, they are not the cause, and none ends.
    void runExhausted() {
        net.forEach(Connection::trim);
        long held = ofConnections();
        if (held < heldMaxBytes / EXHAUSTED_SHARE) {
            return;
        }
        long excess = held - held / 2;
        long balance = balance();
        long ofLesser = ofLesser(excess, balance);
        abortSome(balance >= 0, excess - ofLesser, held / 2);
        abortSome(balance < 0, ofLesser, held / 2);
    }

    /// Ends connections of a kind that hold `bytes`, or fewer if all then hold `enough`.
    private void abortSome(boolean input, long bytes, long enough) {
        countClasses(input);
        int least = leastClass(bytes);
        long left = bytes;
        for (@Nullable Connection at = net.newest(); at != null; ) {
            @Nullable Connection older = at.older; // a connection that ends leaves the list
            long held = held(at, input);
            if (held > 0 && sizeClass(held) >= least && left > 0 && ofConnections() > enough) {
                left -= held;
                at.abort();
                at.flush();
            }
            at = older;
        }
    }

    /// Returns the bytes that open connections hold.
    private long ofConnections() {
        return net.pool().held() - net.pool().outlasting();
    }

    /// Returns the bytes that are compared with the goal.
    private long counted() {
        return ofConnections() + Math.min(net.pool().outlasting(), goal / 2);
    }

    private void preemptSome() {
        long excess = counted() - goal;
        long balance = balance();
        long ofLesser = ofLesser(excess, balance);
        preemptSome(balance >= 0, excess - ofLesser);
        preemptSome(balance < 0, ofLesser);
    }

    private void preemptSome(boolean input, long bytes) {
        if (bytes == 0) {
            return; // the other kind is enough
        }
        long left = bytes;
        for (Candidate one : candidates(input, bytes)) {
            if (left <= 0 || counted() <= goal) {
                return;
            }
            left -= one.bytes;
            one.connection.preempt();
        }
    }

    /// Returns how much more memory waiting input takes than requests in progress.
    private long balance() {
        long balance = 0;
        for (@Nullable Connection at = net.newest(); at != null; at = at.older) {
            balance += at.heldForInput() - at.heldForAnswers();
        }
        return balance;
    }

    /// Returns the bytes to free from the kind that takes less, if both kinds hold the same
    /// afterwards.
    private static long ofLesser(long excess, long balance) {
        return Math.max(0, excess - Math.abs(balance)) / 2;
    }

    /// Returns the connections that hold most, in the order in which they end. Together they hold
    /// at least `bytes`.
    private List<Candidate> candidates(boolean input, long bytes) {
        countClasses(input);
        int least = leastClass(bytes);
        List<Candidate> candidates = new ArrayList<>();
        for (@Nullable Connection at = net.newest(); at != null; at = at.older) {
            long held = held(at, input);
            if (held > 0 && sizeClass(held) >= least) {
                long since = input ? at.in().heldSinceNanos() : at.id();
                candidates.add(new Candidate(at, held, since));
            }
        }
        candidates.sort(ORDER);
        return candidates;
    }

    private void countClasses(boolean input) {
        Arrays.fill(bytesByClass, 0);
        for (@Nullable Connection at = net.newest(); at != null; at = at.older) {
            long bytes = held(at, input);
            bytesByClass[sizeClass(bytes)] += bytes;
        }
    }

    /// Returns the largest class that together with the classes above it holds `bytes`.
    private int leastClass(long bytes) {
        int least = CLASSES;
        for (long sum = 0; sum < bytes && least > 1; sum += bytesByClass[least]) {
            least--;
        }
        return least;
    }

    private static long held(Connection connection, boolean input) {
        return input ? connection.heldForInput() : connection.heldForAnswers();
    }

    /// Returns 0 for 0 bytes, otherwise one more than the exponent of the largest power of two in
    /// `bytes`.
    private static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(bytes);
    }
}
