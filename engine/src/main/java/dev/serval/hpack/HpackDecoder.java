package dev.serval.hpack;

import dev.serval.http.FieldName;
import org.jspecify.annotations.Nullable;

/// Decodes the header blocks of a connection, one after the other (RFC 7541 §3). Order of calls for
/// each block: [#begin], then [#decode] for each piece of it.
///
/// A block whose list of fields is larger than allowed is decoded to its end, because later blocks
/// depend on it, but its sink gets no more fields ([#tooLarge]). A block that is many times larger is
/// an error. Owned by the connection.
public final class HpackDecoder {
    /// Returned by [#decode] if the block breaks a rule; see [#error].
    public static final int ERROR = -1;

    /// What each field line counts in addition to its bytes (RFC 9113 §6.5.2).
    public static final int LINE_BYTES = 32;

    /// The size of both tables before the peers change it (RFC 9113 §6.5.2).
    public static final int FIRST_TABLE_BYTES = 4096;

    /// The size of a list at which decoding ends, in multiples of the size that is allowed.
    private static final int BOMB = 4;

    private static final int NEED_MORE = 0;
    private static final int INTEGER_BYTES_MAX = 4; // after the prefix: 28 bits
    private static final FieldSink NOWHERE = new Nowhere();

    private final DynamicTable table;
    private final HpackScratch scratch;
    private int tableMaxBytes = FIRST_TABLE_BYTES;
    private int lowestMaxBytes = Integer.MAX_VALUE; // to which the next block must lower the table
    private int listMaxBytes;
    private long listBytes;
    private boolean begun; // whether the block has a field line
    private @Nullable HpackError error;
    private int number; // the last integer
    private int knownId; // of the last name
    private byte[] name = {};
    private int nameAt;
    private int nameEnd;
    private byte[] value = {};
    private int valueAt;
    private int valueEnd;

    /// Takes the fields that are too many.
    private static final class Nowhere implements FieldSink {
        @Override
        public void name(@Nullable FieldName known, byte[] from, int at, int end) {}

        @Override
        public void value(byte[] from, int at, int end) {}
    }

    /// Creates a decoder with an empty table of the size that both sides start with.
    public HpackDecoder(HpackScratch scratch) {
        this.table = new DynamicTable(FIRST_TABLE_BYTES);
        this.scratch = scratch;
    }

    /// Changes the largest size of the dynamic table, after the peer has acknowledged it. If the table
    /// is larger, the next block must lower its size first (§4.2).
    public void tableMax(int bytes) {
        tableMaxBytes = bytes;
        if (bytes < table.maxBytes()) {
            lowestMaxBytes = Math.min(lowestMaxBytes, bytes);
        }
    }

    /// Begins a block.
    ///
    /// @param listMaxBytes the largest size of the field lines, each with [#LINE_BYTES] more than it has
    public void begin(int listMaxBytes) {
        this.listMaxBytes = listMaxBytes;
        listBytes = 0;
        begun = false;
    }

    /// Decodes the field lines that are whole in `bytes[from, to)`.
    ///
    /// @param last whether the block ends at `to`
    /// @return the index of the first byte that was not used, which the next piece must begin with; or
    ///     [#ERROR]
    public int decode(byte[] bytes, int from, int to, boolean last, FieldSink into) {
        int at = from;
        while (at < to) {
            int next = line(bytes, at, to, into);
            if (next == ERROR) {
                return ERROR;
            }
            if (next == NEED_MORE) {
                return last ? fail(HpackError.CUT_SHORT) : at;
            }
            at = next;
        }
        return at;
    }

    /// Returns the rule that the last block broke.
    public @Nullable HpackError error() {
        return error;
    }

    /// Returns whether the fields of the block so far are larger than allowed.
    public boolean tooLarge() {
        return listBytes > listMaxBytes;
    }

    /// Returns the bytes of memory that the decoder takes.
    public int memoryBytes() {
        return table.memoryBytes();
    }

    /// Returns the index after the line that begins at `at`, [#NEED_MORE] or [#ERROR].
    private int line(byte[] bytes, int at, int to, FieldSink into) {
        int first = bytes[at];
        if ((first & 0xe0) == 0x20) {
            return tableSize(bytes, at, to);
        }
        if (!begun) {
            if (table.maxBytes() > lowestMaxBytes) {
                return fail(HpackError.TABLE_NOT_CUT);
            }
            begun = true;
        }
        if (first < 0) {
            return indexed(bytes, at, to, into);
        }
        boolean adds = (first & 0x40) != 0;
        int next = integer(bytes, at, to, adds ? 6 : 4);
        if (next <= NEED_MORE) {
            return next;
        }
        next = number == 0 ? literalName(bytes, next, to) : indexedName(next, adds);
        if (next > NEED_MORE) {
            next = literalValue(bytes, next, to);
        }
        if (next <= NEED_MORE) {
            return next;
        }
        if (!emit(into)) {
            return ERROR;
        }
        if (adds && table.reserve(nameEnd - nameAt, valueEnd - valueAt)) {
            table.name(knownId, 0, name, nameAt, nameEnd);
            table.value(value, valueAt, valueEnd);
        }
        return next;
    }

    /// Reads a change of the table's size, which must precede all field lines (§4.2, §6.3).
    private int tableSize(byte[] bytes, int at, int to) {
        int next = integer(bytes, at, to, 5);
        if (next <= NEED_MORE) {
            return next;
        }
        if (begun || number > tableMaxBytes) {
            return fail(HpackError.TABLE_SIZE);
        }
        lowestMaxBytes = number <= lowestMaxBytes ? Integer.MAX_VALUE : lowestMaxBytes;
        table.limit(number);
        return next;
    }

    private int indexed(byte[] bytes, int at, int to, FieldSink into) {
        int next = integer(bytes, at, to, 7);
        if (next <= NEED_MORE) {
            return next;
        }
        if (number == 0 || number > StaticTable.SIZE + table.count()) {
            return fail(HpackError.INDEX);
        }
        if (number <= StaticTable.SIZE) {
            staticName();
            value = StaticTable.value(number);
            valueAt = 0;
            valueEnd = value.length;
        } else {
            int index = number - StaticTable.SIZE;
            dynamicName(index);
            value = table.array();
            valueAt = table.nameEnd(index);
            valueEnd = table.valueEnd(index);
        }
        return emit(into) ? next : ERROR;
    }

    private int indexedName(int next, boolean adds) {
        if (number > StaticTable.SIZE + table.count()) {
            return fail(HpackError.INDEX);
        }
        if (number <= StaticTable.SIZE) {
            staticName();
            return next;
        }
        dynamicName(number - StaticTable.SIZE);
        if (adds) { // the new entry may evict the one whose name it takes (§4.4)
            int length = nameEnd - nameAt;
            byte[] copy = scratch.name(length);
            System.arraycopy(name, nameAt, copy, 0, length);
            name = copy;
            nameAt = 0;
            nameEnd = length;
        }
        return next;
    }

    private void staticName() {
        name = StaticTable.name(number);
        nameAt = 0;
        nameEnd = name.length;
        @Nullable FieldName known = StaticTable.known(number);
        knownId = known == null ? DynamicTable.UNKNOWN : known.id();
    }

    private void dynamicName(int index) {
        name = table.array();
        nameAt = table.nameAt(index);
        nameEnd = table.nameEnd(index);
        knownId = table.id(index);
    }

    private int literalName(byte[] bytes, int at, int to) {
        int next = integer(bytes, at, to, 7);
        if (next <= NEED_MORE || !isHere(next, to)) {
            return next <= NEED_MORE ? next : absent();
        }
        int end = next + number;
        if (bytes[at] < 0) {
            name = scratch.name(Huffman.decodedMax(number));
            nameAt = 0;
            nameEnd = Huffman.decode(bytes, next, end, name);
        } else {
            name = bytes;
            nameAt = next;
            nameEnd = end;
        }
        if (nameEnd < 0) {
            return fail(HpackError.HUFFMAN);
        }
        @Nullable FieldName known = FieldName.of(name, nameAt, nameEnd);
        knownId = known == null ? DynamicTable.UNKNOWN : known.id();
        return end;
    }

    private int literalValue(byte[] bytes, int at, int to) {
        int next = integer(bytes, at, to, 7);
        if (next <= NEED_MORE || !isHere(next, to)) {
            return next <= NEED_MORE ? next : absent();
        }
        int end = next + number;
        if (bytes[at] < 0) {
            value = scratch.value(Huffman.decodedMax(number));
            valueAt = 0;
            valueEnd = Huffman.decode(bytes, next, end, value);
        } else {
            value = bytes;
            valueAt = next;
            valueEnd = end;
        }
        return valueEnd < 0 ? fail(HpackError.HUFFMAN) : end;
    }

    private boolean isHere(int at, int to) {
        return number <= to - at;
    }

    /// Handles a string whose end has not arrived: waits for it, unless it is too long to wait for.
    private int absent() {
        return number > (long) BOMB * listMaxBytes ? fail(HpackError.BOMB) : NEED_MORE;
    }

    /// Passes the field on, unless there are too many.
    private boolean emit(FieldSink into) {
        listBytes += nameEnd - nameAt + valueEnd - valueAt + LINE_BYTES;
        if (listBytes > (long) BOMB * listMaxBytes) {
            fail(HpackError.BOMB);
            return false;
        }
        FieldSink sink = tooLarge() ? NOWHERE : into;
        sink.name(
                knownId == DynamicTable.UNKNOWN ? null : FieldName.byId(knownId),
                name,
                nameAt,
                nameEnd);
        sink.value(value, valueAt, valueEnd);
        return true;
    }

    /// Reads an integer (§5.1) into [#number].
    ///
    /// @return the index after it, [#NEED_MORE] or [#ERROR]
    private int integer(byte[] bytes, int at, int to, int prefixBits) {
        if (at == to) {
            return NEED_MORE;
        }
        int most = (1 << prefixBits) - 1;
        number = bytes[at] & most;
        if (number < most) {
            return at + 1;
        }
        for (int i = 1; i <= INTEGER_BYTES_MAX; i++) {
            if (at + i == to) {
                return NEED_MORE;
            }
            int b = bytes[at + i];
            number += (b & 0x7f) << (7 * (i - 1));
            if (b >= 0) {
                return at + i + 1;
            }
        }
        return fail(HpackError.INTEGER);
    }

    private int fail(HpackError what) {
        error = what;
        return ERROR;
    }
}
