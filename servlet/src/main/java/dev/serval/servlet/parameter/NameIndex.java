package dev.serval.servlet.parameter;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The ranges of names and values in a byte array, and a hash table over the names. All values of
/// one name form a chain in the order of arrival. Names are compared as UTF-8 bytes. Owned by one
/// [Parameters].
final class NameIndex {
    static final int NONE = -1;

    private static final int SLOT = 8;
    private static final int NAME_AT = 0;
    private static final int NAME_END = 1;
    private static final int VALUE_AT = 2;
    private static final int VALUE_END = 3;
    private static final int HASH = 4;

    /// The next entry of the same bucket with another name.
    private static final int CHAIN = 5;

    /// The next entry of the same name.
    private static final int SAME = 6;

    /// The last entry of the same name; NONE in all entries of the name but the first.
    private static final int LAST = 7;

    private static final int FEW = 16;
    private static final int[] NO_INTS = {};

    private final HashKey key;
    private int[] slots = NO_INTS;
    private int[] heads = NO_INTS; // the entry plus one; 0 for none, as in a new array
    private int count;
    private int names;

    NameIndex(HashKey key) {
        this.key = key;
    }

    /// Returns the number of values.
    int count() {
        return count;
    }

    /// Returns the number of different names.
    int names() {
        return names;
    }

    /// Makes room for entries that are likely to come. More are possible.
    void expect(byte[] text, int entries) {
        if ((count + entries) * SLOT > slots.length) {
            grow(text, count + entries);
        }
    }

    /// Appends a value to its name.
    void add(byte[] text, int nameAt, int nameEnd, int valueAt, int valueEnd) {
        int at = count * SLOT;
        if (at == slots.length) {
            grow(text, 2 * count);
        }
        slots[at + NAME_AT] = nameAt;
        slots[at + NAME_END] = nameEnd;
        slots[at + VALUE_AT] = valueAt;
        slots[at + VALUE_END] = valueEnd;
        slots[at + HASH] = key.hash(text, nameAt, nameEnd);
        link(text, count++);
    }

    /// Appends all entries of `others`, whose text begins at `distance` in `text`.
    void addAll(NameIndex others, byte[] text, int distance) {
        for (int i = 0; i < others.count; i++) {
            int from = i * SLOT;
            add(
                    text,
                    others.slots[from + NAME_AT] + distance,
                    others.slots[from + NAME_END] + distance,
                    others.slots[from + VALUE_AT] + distance,
                    others.slots[from + VALUE_END] + distance);
        }
    }

    /// Returns the first entry of that name, or NONE.
    int find(byte[] text, String name) {
        if (count == 0) {
            return NONE;
        }
        int hash = key.hash(name);
        for (int i = heads[hash & heads.length - 1] - 1; i != NONE; i = slots[i * SLOT + CHAIN]) {
            if (slots[i * SLOT + HASH] == hash && nameIs(text, i, name)) {
                return i;
            }
        }
        return NONE;
    }

    /// Returns the next entry of the same name, or NONE.
    int same(int i) {
        return slots[i * SLOT + SAME];
    }

    /// Returns whether the entry is the first of its name.
    boolean first(int i) {
        return slots[i * SLOT + LAST] != NONE;
    }

    /// Returns the name of the entry.
    String name(byte[] text, int i, Charset charset) {
        return text(text, slots[i * SLOT + NAME_AT], slots[i * SLOT + NAME_END], charset);
    }

    /// Returns the value of the entry.
    String value(byte[] text, int i, Charset charset) {
        return text(text, slots[i * SLOT + VALUE_AT], slots[i * SLOT + VALUE_END], charset);
    }

    /// Removes the entries from `kept` on.
    void truncate(byte[] text, int kept) {
        count = kept;
        relink(text);
    }

    /// Returns the most entries that a look-up may have to compare.
    int longestChain() {
        int longest = 0;
        for (int head : heads) {
            int length = 0;
            for (int i = head - 1; i != NONE; i = slots[i * SLOT + CHAIN]) {
                length++;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }

    private void grow(byte[] text, int entries) {
        int room = Math.max(FEW, entries);
        slots = Arrays.copyOf(slots, room * SLOT);
        heads = new int[Integer.highestOneBit(room) * 2];
        relink(text);
    }

    private void relink(byte[] text) {
        Arrays.fill(heads, 0);
        names = 0;
        for (int i = 0; i < count; i++) {
            link(text, i);
        }
    }

    private void link(byte[] text, int added) {
        int at = added * SLOT;
        int hash = slots[at + HASH];
        int bucket = hash & heads.length - 1;
        slots[at + SAME] = NONE;
        for (int i = heads[bucket] - 1; i != NONE; i = slots[i * SLOT + CHAIN]) {
            if (slots[i * SLOT + HASH] == hash && sameName(text, i, added)) {
                slots[slots[i * SLOT + LAST] * SLOT + SAME] = added;
                slots[i * SLOT + LAST] = added;
                slots[at + LAST] = NONE;
                slots[at + CHAIN] = NONE;
                return;
            }
        }
        names++;
        slots[at + LAST] = added;
        slots[at + CHAIN] = heads[bucket] - 1;
        heads[bucket] = added + 1;
    }

    private boolean sameName(byte[] text, int i, int k) {
        return Arrays.equals(
                text,
                slots[i * SLOT + NAME_AT],
                slots[i * SLOT + NAME_END],
                text,
                slots[k * SLOT + NAME_AT],
                slots[k * SLOT + NAME_END]);
    }

    private boolean nameIs(byte[] text, int i, String name) {
        int at = slots[i * SLOT + NAME_AT];
        int end = slots[i * SLOT + NAME_END];
        boolean ascii = end - at == name.length(); // other UTF-8 has more bytes than characters
        if (!ascii) {
            byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
            return Arrays.equals(text, at, end, encoded, 0, encoded.length);
        }
        for (int k = 0; at + k < end; k++) {
            if (text[at + k] != name.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] text, int from, int to, Charset charset) {
        return from == to ? "" : new String(text, from, to - from, charset);
    }
}
