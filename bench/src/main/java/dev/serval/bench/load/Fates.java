package dev.serval.bench.load;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// What became of the requests of an [Offer]. All latencies begin at the planned instant of the
/// request, not when it was sent, so that a hang of the server or of the generator shows in every
/// request that was due meanwhile. Written by one thread, and read afterwards.
public final class Fates {
    private static final int DIGITS = 3;

    /// A request that was sent later than this after its instant is late.
    private static final long LATE_NANOS = 10_000_000;

    /// The share of late requests beyond which the generator did not make the load.
    private static final double LATE_SHARE_MAX = 0.01;

    private final Offer offer;
    private final long deadlineNanos;
    private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);
    private final Histogram right = new Histogram(PacedLoad.HIGHEST_MICROS, DIGITS);
    private final Histogram refused = new Histogram(PacedLoad.HIGHEST_MICROS, DIGITS);
    private long[] planned = new long[1024];
    private long[] latency = new long[1024];
    private int size;
    private long begun;
    private long good;
    private long late;

    Fates(Offer offer, long deadlineNanos) {
        this.offer = offer;
        this.deadlineNanos = deadlineNanos;
        for (Fate fate : Fate.values()) {
            counts.put(fate, 0L);
        }
    }

    /// Notes a request that is sent now.
    void sent(long plannedAt, long now) {
        begun++;
        late += now - plannedAt > LATE_NANOS ? 1 : 0;
    }

    /// Notes the end of a request.
    ///
    /// @param plannedAt its instant after the start of the offer
    void ended(Fate fate, long plannedAt, long latencyNanos) {
        counts.merge(fate, 1L, Long::sum);
        long micros = Math.clamp(latencyNanos / 1000, 0, PacedLoad.HIGHEST_MICROS);
        if (fate == Fate.RIGHT) {
            right.recordValue(micros);
            good += latencyNanos <= deadlineNanos ? 1 : 0;
        } else if (fate.isRefusal()) {
            refused.recordValue(micros);
        }
        if (size == planned.length) {
            planned = Arrays.copyOf(planned, 2 * size);
            latency = Arrays.copyOf(latency, 2 * size);
        }
        planned[size] = plannedAt;
        latency[size++] = fate == Fate.RIGHT ? latencyNanos : Long.MAX_VALUE;
    }

    /// Returns what was offered.
    public Offer offer() {
        return offer;
    }

    /// Returns how many requests ended so.
    public long count(Fate fate) {
        return counts.getOrDefault(fate, 0L);
    }

    /// Returns how many requests the server answered wrongly, refused or did not answer.
    public long failed() {
        return size - count(Fate.RIGHT) - count(Fate.NOT_SENT);
    }

    /// Returns how many requests ended in each other way than right, by its word.
    public Map<String, Long> ends() {
        Map<String, Long> ends = new LinkedHashMap<>();
        for (Fate fate : Fate.values()) {
            if (fate != Fate.RIGHT) {
                ends.put(fate.word(), count(fate));
            }
        }
        return ends;
    }

    /// Returns the number of requests that have not ended yet.
    long unended() {
        return begun - size;
    }

    /// Returns the number of planned requests.
    public long all() {
        return size;
    }

    /// Returns the right answers per second, whenever they came.
    public double rightPerSecond() {
        return count(Fate.RIGHT) / offer.seconds();
    }

    /// Returns the right answers per second that came within the deadline.
    public double goodput() {
        return good / offer.seconds();
    }

    /// Returns the right answers per second that came in each whole piece of the offer's time.
    public double[] replyRates(long sampleNanos) {
        double[] rates = new double[(int) (offer.nanos() / sampleNanos)];
        for (int i = 0; i < size; i++) {
            // The latency of others is the greatest number, which no sum may contain.
            long piece =
                    latency[i] == Long.MAX_VALUE
                            ? rates.length
                            : (planned[i] + latency[i]) / sampleNanos;
            if (piece < rates.length) {
                rates[(int) piece] += 1e9 / sampleNanos;
            }
        }
        return rates;
    }

    /// Returns a percentile of the latency of right answers in milliseconds, or NaN without any.
    public double rightMillis(double percentile) {
        return millis(right, percentile);
    }

    /// Returns a percentile of the latency of refusals in milliseconds, or NaN without any.
    public double refusedMillis(double percentile) {
        return millis(refused, percentile);
    }

    /// Returns the latencies of right answers in microseconds.
    public Histogram rightMicros() {
        return right;
    }

    /// Returns a percentile of microseconds in milliseconds, or NaN without any.
    public static double millis(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0
                ? Double.NaN
                : micros.getValueAtPercentile(percentile) / 1e3;
    }

    /// Returns the share of requests that the generator sent late or not at all.
    public double lateShare() {
        return size == 0 ? 0 : (double) (late + count(Fate.NOT_SENT)) / size;
    }

    /// Returns whether the generator, not the server, was at its end.
    public boolean isOfTheGenerator() {
        return lateShare() > LATE_SHARE_MAX;
    }

    /// Returns the first instant, in seconds after the start, from which for a whole second 99 % of
    /// the requests had a right answer within this latency. NaN if there is none.
    public double recoveredAfter(double limitMillis) {
        long second = 1_000_000_000;
        long step = second / 20;
        for (long from = 0; from + second <= offer.nanos(); from += step) {
            int inside = 0;
            int slow = 0;
            for (int i = 0; i < size; i++) {
                if (planned[i] >= from && planned[i] < from + second) {
                    inside++;
                    slow += latency[i] > limitMillis * 1e6 ? 1 : 0;
                }
            }
            if (inside > 0 && slow * 100L <= inside) {
                return from / 1e9;
            }
        }
        return Double.NaN;
    }
}
