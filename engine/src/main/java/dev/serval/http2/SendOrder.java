package dev.serval.http2;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The order in which the streams of a connection send (RFC 9218 §10). A more urgent stream goes first.
/// Of equal urgency, the streams that are not incremental go one after the other, in the order of their
/// requests, and those that are incremental take turns. If there are both, each second turn is for the
/// former. A stream is taken out for its turn, and added again if it has more to send. Owned by the
/// connection.
///
/// @param <S> the type of a stream
public final class SendOrder<S extends SendOrder.Member> {
    /// A stream. Its priority may change only while it is in no order.
    public interface Member {
        /// Returns the number of the stream, which rises with the order of the requests.
        int streamNumber();

        /// Returns the [Priority].
        int priority();
    }

    /// The streams of one urgency.
    private static final class Level<S extends Member> {
        private static final int FIRST_CAPACITY = 4;

        final ArrayDeque<S> inTurn = new ArrayDeque<>(FIRST_CAPACITY); // the incremental ones
        final ArrayDeque<S> byNumber = new ArrayDeque<>(FIRST_CAPACITY);
        boolean turnOfNumber = true;

        boolean isEmpty() {
            return inTurn.isEmpty() && byNumber.isEmpty();
        }

        void add(S stream) {
            if (Priority.isIncremental(stream.priority())) {
                inTurn.addLast(stream);
                return;
            }
            @Nullable S last = byNumber.peekLast();
            @Nullable S first = byNumber.peekFirst();
            if (last == null || first == null || last.streamNumber() < stream.streamNumber()) {
                byNumber.addLast(stream);
            } else if (stream.streamNumber() < first.streamNumber()) {
                byNumber.addFirst(stream);
            } else {
                insert(stream);
            }
        }

        /// Adds a stream between others, which all move once around.
        private void insert(S stream) {
            boolean placed = false;
            for (int left = byNumber.size(); left > 0; left--) {
                S other = byNumber.removeFirst();
                if (!placed && stream.streamNumber() < other.streamNumber()) {
                    byNumber.addLast(stream);
                    placed = true;
                }
                byNumber.addLast(other);
            }
        }

        S next() {
            boolean ofNumber = inTurn.isEmpty() || (turnOfNumber && !byNumber.isEmpty());
            turnOfNumber = !ofNumber;
            return ofNumber ? byNumber.removeFirst() : inTurn.removeFirst();
        }

        boolean remove(S stream) {
            return Priority.isIncremental(stream.priority())
                    ? inTurn.remove(stream)
                    : byNumber.remove(stream);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable Level<S>[] levels = new @Nullable Level[Priority.URGENCIES];

    private int filled; // a bit for each level that has streams

    /// Creates an empty order.
    public SendOrder() {}

    /// Returns whether no stream is in the order.
    public boolean isEmpty() {
        return filled == 0;
    }

    /// Adds a stream that is not in the order.
    public void add(S stream) {
        int urgency = Priority.urgency(stream.priority());
        @Nullable Level<S> level = levels[urgency];
        if (level == null) {
            level = new Level<>();
            levels[urgency] = level;
        }
        level.add(stream);
        filled |= 1 << urgency;
    }

    /// Takes out the stream that sends next; null if there is none.
    public @Nullable S next() {
        int urgency = Integer.numberOfTrailingZeros(filled);
        @Nullable Level<S> level = filled == 0 ? null : levels[urgency];
        if (level == null) {
            return null;
        }
        S stream = level.next();
        emptied(level, urgency);
        return stream;
    }

    /// Takes out a stream.
    ///
    /// @return whether it was in the order
    public boolean remove(S stream) {
        int urgency = Priority.urgency(stream.priority());
        @Nullable Level<S> level = levels[urgency];
        boolean removed = level != null && level.remove(stream);
        if (level != null) {
            emptied(level, urgency);
        }
        return removed;
    }

    /// Takes out all streams.
    public void clear() {
        for (int i = 0; i < levels.length; i++) {
            levels[i] = null;
        }
        filled = 0;
    }

    private void emptied(Level<S> level, int urgency) {
        if (level.isEmpty()) {
            filled &= ~(1 << urgency);
        }
    }
}
