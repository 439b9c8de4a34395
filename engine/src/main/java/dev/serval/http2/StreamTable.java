package dev.serval.http2;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The streams of a connection by their numbers, without boxing. Open addressing: the numbers of a
/// client rise by two, so neighbours rarely share a slot. Owned by the connection.
///
/// @param <S> the type of a stream
public final class StreamTable<S> {
    private static final int LEAST = 8;

    private int[] numbers = new int[LEAST];
    private @Nullable Object[] streams = new @Nullable Object[LEAST];
    private int size;

    /// Creates an empty table.
    public StreamTable() {}

    /// Returns the number of streams.
    public int size() {
        return size;
    }

    /// Returns the stream, or null.
    @SuppressWarnings("unchecked") // only put fills the array
    public @Nullable S find(int number) {
        int slot = slot(number);
        return numbers[slot] == number ? (@Nullable S) streams[slot] : null;
    }

    /// Adds a stream whose number, which is not 0, is in no other entry.
    public void put(int number, S stream) {
        if (2 * size >= numbers.length) {
            grow();
        }
        int slot = slot(number);
        numbers[slot] = number;
        streams[slot] = stream;
        size++;
    }

    /// Removes a stream, if it is there.
    ///
    /// @return whether it was
    public boolean remove(int number) {
        int slot = slot(number);
        if (numbers[slot] != number) {
            return false;
        }
        numbers[slot] = 0;
        streams[slot] = null;
        size--;
        closeGap(slot);
        return true;
    }

    /// Calls `action` for each stream. It may remove streams, also others, and add none.
    @SuppressWarnings("unchecked") // as in find
    public void forEach(Consumer<S> action) {
        @Nullable Object[] all = streams.clone();
        for (Object stream : all) {
            if (stream != null) {
                action.accept((S) stream);
            }
        }
    }

    /// Moves the entries behind a removed one that would not be found any more.
    private void closeGap(int removed) {
        int mask = numbers.length - 1;
        int gap = removed;
        for (int at = gap + 1 & mask; numbers[at] != 0; at = at + 1 & mask) {
            int home = home(numbers[at]);
            if ((at - home & mask) >= (at - gap & mask)) {
                numbers[gap] = numbers[at];
                streams[gap] = streams[at];
                numbers[at] = 0;
                streams[at] = null;
                gap = at;
            }
        }
    }

    private int slot(int number) {
        int mask = numbers.length - 1;
        int at = home(number);
        while (numbers[at] != 0 && numbers[at] != number) {
            at = at + 1 & mask;
        }
        return at;
    }

    private int home(int number) {
        return number >>> 1 & numbers.length - 1;
    }

    private void grow() {
        int[] oldNumbers = numbers;
        @Nullable Object[] oldStreams = streams;
        numbers = new int[2 * oldNumbers.length];
        streams = new @Nullable Object[numbers.length];
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] != 0) {
                int slot = slot(oldNumbers[i]);
                numbers[slot] = oldNumbers[i];
                streams[slot] = oldStreams[i];
            }
        }
    }
}
