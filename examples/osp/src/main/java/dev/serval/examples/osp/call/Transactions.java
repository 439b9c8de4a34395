package dev.serval.examples.osp.call;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The authorisations of the last calls, by TransactionId. The oldest are forgotten when there are
/// too many.
public final class Transactions {
    private static final int PARTS = 16;
    private static final int COUNTER_BITS = 31;

    private final AtomicLong next;
    private final Part[] parts = new Part[PARTS];

    /// An authorised call. Immutable.
    ///
    /// @param offers in the order of the answer
    record Transaction(String calling, String called, List<Offer> offers) {}

    /// A destination that was offered for a call. Immutable.
    ///
    /// @param callId base64
    record Offer(String callId, Destination destination) {}

    /// Creates an empty memory.
    ///
    /// @param transactionsMax the most transactions
    /// @param second the current second since 1970; ids of different starts differ by it
    public Transactions(int transactionsMax, long second, RandomGenerator random) {
        next = new AtomicLong((second << COUNTER_BITS) | random.nextInt(1 << 20));
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part(Math.max(1, transactionsMax / PARTS));
        }
    }

    /// Returns a new id, positive and of up to 19 digits.
    long newId() {
        return next.getAndIncrement() & Long.MAX_VALUE;
    }

    void add(long id, Transaction transaction) {
        Part part = parts[(int) (id & (PARTS - 1))];
        synchronized (part) {
            part.put(id, transaction);
        }
    }

    @Nullable Transaction find(long id) {
        Part part = parts[(int) (id & (PARTS - 1))];
        synchronized (part) {
            return part.get(id);
        }
    }

    /// The transactions with the same four bits.
    private static final class Part {
        private final int max;
        private final Map<Long, Transaction> transactions = new LinkedHashMap<>();

        Part(int max) {
            this.max = max;
        }

        void put(long id, Transaction transaction) {
            transactions.put(id, transaction);
            if (transactions.size() > max) {
                transactions.remove(transactions.keySet().iterator().next());
            }
        }

        @Nullable Transaction get(long id) {
            return transactions.get(id);
        }
    }
}
