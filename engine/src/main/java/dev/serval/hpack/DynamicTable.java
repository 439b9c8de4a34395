package dev.serval.hpack;

/// The dynamic table of one direction of a connection (RFC 7541 §2.3.2). Names and values are in one
/// array of bytes, in the order in which they were added, so an entry has no object of its own. Both
/// arrays are small until they are needed. Owned by the encoder or decoder.
///
/// Order of calls to add an entry: [#reserve]; if it returned true, [#name] and [#value].
final class DynamicTable {
    /// What each entry counts in addition to its bytes (§4.1).
    static final int ENTRY_BYTES = 32;

    /// The [#id] of an entry that has no known name.
    static final int UNKNOWN = -1;

    private static final byte[] NO_BYTES = {};
    private static final int[] NO_SLOTS = {};
    private static final int LEAST_BYTES = 256;
    private static final int LEAST_ENTRIES = 8;

    private static final int SLOT = 5;
    private static final int AT = 0;
    private static final int NAME_LENGTH = 1;
    private static final int VALUE_LENGTH = 2;
    private static final int ID = 3;
    private static final int HASH = 4;

    private byte[] bytes = NO_BYTES;
    private int used; // end of the newest entry's bytes
    private int[] slots = NO_SLOTS; // a ring of entries; their number is a power of two
    private int newest; // number of the newest entry, counted on without end
    private int count;
    private int size;
    private int maxBytes;

    DynamicTable(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Returns the number of entries.
    int count() {
        return count;
    }

    /// Returns the size, as §4.1 counts it.
    int size() {
        return size;
    }

    /// Returns the largest size.
    int maxBytes() {
        return maxBytes;
    }

    /// Sets the largest size, and evicts what exceeds it (§4.3).
    void limit(int most) {
        maxBytes = most;
        evictTo(most);
    }

    /// Returns the number of entries that were ever added. While it and the limit stay the same, so
    /// does every index.
    int added() {
        return newest;
    }

    /// Returns the bytes of memory that the table takes.
    int memoryBytes() {
        return bytes.length + slots.length * Integer.BYTES;
    }

    /// Makes room for an entry by evicting others. An entry that is larger than the table empties it
    /// (§4.4).
    ///
    /// @return whether the entry fits
    boolean reserve(int nameLength, int valueLength) {
        long entry = (long) nameLength + valueLength + ENTRY_BYTES;
        if (entry > maxBytes) {
            evictTo(0);
            return false;
        }
        evictTo(maxBytes - (int) entry);
        makeRoom(nameLength + valueLength);
        if (count * SLOT == slots.length) {
            growRing();
        }
        return true;
    }

    /// Adds the name of an entry, from another array than that of this table.
    void name(int id, int hash, byte[] from, int at, int end) {
        newest++;
        count++;
        int slot = slot(1);
        slots[slot + AT] = used;
        slots[slot + NAME_LENGTH] = end - at;
        slots[slot + VALUE_LENGTH] = 0;
        slots[slot + ID] = id;
        slots[slot + HASH] = hash;
        size += ENTRY_BYTES;
        append(from, at, end);
    }

    /// Adds its value.
    void value(byte[] from, int at, int end) {
        slots[slot(1) + VALUE_LENGTH] = end - at;
        append(from, at, end);
    }

    /// Returns the array that has names and values. Valid until the next change.
    byte[] array() {
        return bytes;
    }

    /// Returns the start of the name of the entry with that index; 1 is the newest.
    int nameAt(int index) {
        return slots[slot(index) + AT];
    }

    /// Returns the end of the name and the start of the value.
    int nameEnd(int index) {
        int slot = slot(index);
        return slots[slot + AT] + slots[slot + NAME_LENGTH];
    }

    /// Returns the end of the value.
    int valueEnd(int index) {
        int slot = slot(index);
        return slots[slot + AT] + slots[slot + NAME_LENGTH] + slots[slot + VALUE_LENGTH];
    }

    /// Returns the id of the known name, or [#UNKNOWN].
    int id(int index) {
        return slots[slot(index) + ID];
    }

    /// Returns the index of the newest entry from `from` on that has the hash, or 0.
    int find(int hash, int from) {
        for (int index = from; index <= count; index++) {
            if (slots[slot(index) + HASH] == hash) {
                return index;
            }
        }
        return 0;
    }

    private int slot(int index) {
        return (newest - index + 1 & slots.length / SLOT - 1) * SLOT;
    }

    private void append(byte[] from, int at, int end) {
        System.arraycopy(from, at, bytes, used, end - at);
        used += end - at;
        size += end - at;
    }

    private void evictTo(int most) {
        while (size > most) {
            size -= ENTRY_BYTES + valueEnd(count) - nameAt(count);
            count--;
        }
    }

    /// Moves the entries to the start of the array, which is grown if they fill more than half of it.
    /// So each byte is moved about once for each time that the table is filled.
    private void makeRoom(int more) {
        if (bytes.length - used >= more) {
            return;
        }
        int first = count == 0 ? used : nameAt(count);
        int live = used - first;
        byte[] into = bytes;
        if (live + more > bytes.length / 2) {
            into = new byte[Math.max(LEAST_BYTES, 2 * (live + more))];
        }
        System.arraycopy(bytes, first, into, 0, live);
        bytes = into;
        used = live;
        for (int index = 1; index <= count; index++) {
            slots[slot(index) + AT] -= first;
        }
    }

    private void growRing() {
        int[] old = slots;
        int entries = old.length / SLOT;
        int[] grown = new int[Math.max(LEAST_ENTRIES, 2 * entries) * SLOT];
        int mask = grown.length / SLOT - 1;
        for (int number = newest - count + 1; number != newest + 1; number++) {
            int from = (number & entries - 1) * SLOT;
            System.arraycopy(old, from, grown, (number & mask) * SLOT, SLOT);
        }
        slots = grown;
    }
}
