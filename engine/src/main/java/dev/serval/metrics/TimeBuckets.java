package dev.serval.metrics;

/// The buckets of every histogram, from a microsecond to a thousand seconds. The upper bounds are the
/// preferred numbers of ISO 3, series R20: twenty for each factor of ten. So a value read from a bucket
/// is wrong by 7 % at most, and round numbers such as 2.5 ms and 1 s are bounds. Stateless.
public final class TimeBuckets {
    private static final int[] R20 = {
        100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710,
        800, 900
    };
    private static final int DECADES = 9;
    private static final long FIRST_NANOS = 1_000;

    /// Each factor of two has so many cells. A cell is narrower than any bucket, so it has at most one
    /// bound within it.
    private static final int CELL_BITS = 4;

    private static final long[] BOUNDS = bounds();
    private static final short[] FIRST_OF_CELL = firstOfCells();

    /// The number of buckets; the last one has no upper bound.
    public static final int COUNT = BOUNDS.length + 1;

    private TimeBuckets() {}

    /// Returns the bucket of a time. Times of less than 0 count as 0.
    public static int of(long nanos) {
        if (nanos <= FIRST_NANOS) {
            return 0;
        }
        int cell = cell(nanos);
        if (cell >= FIRST_OF_CELL.length) {
            return COUNT - 1;
        }
        int bucket = FIRST_OF_CELL[cell];
        return bucket < BOUNDS.length && nanos > BOUNDS[bucket] ? bucket + 1 : bucket;
    }

    /// Returns the longest time of a bucket; [Long#MAX_VALUE] for the last one.
    public static long boundNanos(int bucket) {
        return bucket < BOUNDS.length ? BOUNDS[bucket] : Long.MAX_VALUE;
    }

    /// Returns the position of a time among the cells, which grow with every factor of two.
    private static int cell(long nanos) {
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int within = (int) (nanos >>> (exponent - CELL_BITS)) & ((1 << CELL_BITS) - 1);
        return (exponent << CELL_BITS) + within;
    }

    private static long[] bounds() {
        long[] bounds = new long[DECADES * R20.length + 1];
        long decade = FIRST_NANOS / R20[0];
        int end = 0;
        for (int i = 0; i < DECADES; i++) {
            for (int number : R20) {
                bounds[end++] = number * decade;
            }
            decade *= 10;
        }
        bounds[end] = R20[0] * decade;
        return bounds;
    }

    /// Returns for each cell the bucket of its lowest time.
    private static short[] firstOfCells() {
        short[] first = new short[cell(BOUNDS[BOUNDS.length - 1]) + 1];
        int bucket = 0;
        for (int cell = 0; cell < first.length; cell++) {
            int exponent = cell >> CELL_BITS;
            long within = (1L << CELL_BITS) + (cell & ((1 << CELL_BITS) - 1));
            long lowest = exponent < CELL_BITS ? 0 : within << (exponent - CELL_BITS);
            while (bucket < BOUNDS.length && lowest > BOUNDS[bucket]) {
                bucket++;
            }
            first[cell] = (short) bucket;
        }
        return first;
    }
}
