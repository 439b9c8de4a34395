package dev.serval.hpack;

import dev.serval.http.FieldName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Encodes the header blocks of a connection, one after the other (RFC 7541 §3). Order of calls for
/// each block: [#begin], then [#status] or [#name] with [#value] for each field line.
///
/// A field line that repeats goes to the dynamic table at its second appearance, so that lines which
/// never repeat evict nothing. Secrets are never added, and are marked so that no intermediary adds
/// them (§7.1.3): whoever can make the server send other fields could otherwise find them by guessing.
/// Owned by the connection.
public final class HpackEncoder implements FieldSink {
    /// The largest table that this encoder uses, even if its peer allows more.
    private static final int TABLE_MAX_BYTES = HpackDecoder.FIRST_TABLE_BYTES;

    /// A cookie as long as this cannot be guessed as a whole, so it may be added (§7.1.3).
    private static final int LONG_COOKIE_BYTES = 20;

    private static final int SEEN = 32; // a power of two
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final DynamicTable table;
    private final int[] seen = new int[SEEN]; // hashes of lines that were sent once
    private int lowestMaxBytes = TABLE_MAX_BYTES; // that the peer has set since the last block
    private int tableMaxBytes = TABLE_MAX_BYTES; // that applies from the next block on
    private HeaderBlock out;
    private boolean settled = true;
    private @Nullable FieldName known; // of the name that waits for its value
    private byte[] name = new byte[32];
    private int nameLength;

    /// Creates an encoder with an empty table of the size that both sides start with.
    ///
    /// @param first takes the first block
    public HpackEncoder(HeaderBlock first) {
        this.out = first;
        this.table = new DynamicTable(TABLE_MAX_BYTES);
    }

    /// Sets the largest table that the peer allows.
    public void tableMax(int bytes) {
        tableMaxBytes = Math.min(bytes, TABLE_MAX_BYTES);
        lowestMaxBytes = Math.min(lowestMaxBytes, tableMaxBytes);
    }

    /// Begins a block. Writes the changes of the table's size that the peer must know (§4.2).
    public void begin(HeaderBlock into) {
        out = into;
        settled = true;
        if (lowestMaxBytes < table.maxBytes()) {
            resize(lowestMaxBytes);
        }
        if (tableMaxBytes != table.maxBytes()) {
            resize(tableMaxBytes);
        }
        lowestMaxBytes = tableMaxBytes;
    }

    /// Returns a number that changes with every entry that is added. A block that [#isSettled] can be
    /// sent again while this number is the same and [#begin] writes nothing.
    public int tableAge() {
        return table.added();
    }

    /// Returns whether the lines of the block so far were indexed, or are secrets, so that another
    /// block with the same lines would have the same bytes.
    public boolean isSettled() {
        return settled;
    }

    /// Returns the bytes of memory that the encoder takes.
    public int memoryBytes() {
        return table.memoryBytes() + SEEN * Integer.BYTES + name.length;
    }

    /// Writes the pseudo-header field `:status`.
    public void status(int code) {
        int index =
                switch (code) {
                    case 200 -> StaticTable.STATUS_200;
                    case 204 -> StaticTable.STATUS_200 + 1;
                    case 206 -> StaticTable.STATUS_200 + 2;
                    case 304 -> StaticTable.STATUS_200 + 3;
                    case 400 -> StaticTable.STATUS_200 + 4;
                    case 404 -> StaticTable.STATUS_200 + 5;
                    case 500 -> StaticTable.STATUS_200 + 6;
                    default -> 0;
                };
        if (index > 0) {
            out.integer(0x80, 7, index);
            return;
        }
        known = null;
        byte[] text = StaticTable.name(StaticTable.STATUS_200);
        nameLength = text.length;
        System.arraycopy(text, 0, name, 0, nameLength);
        int at = nameLength; // the array has room for the digits behind the name
        name[at] = (byte) ('0' + code / 100);
        name[at + 1] = (byte) ('0' + code / 10 % 10);
        name[at + 2] = (byte) ('0' + code % 10);
        value(name, at, at + 3);
    }

    /// Takes a name, in any letter case, and writes it in lower case (RFC 9113 §8.2).
    @Override
    public void name(@Nullable FieldName known, byte[] from, int at, int end) {
        this.known = known;
        nameLength = end - at;
        if (name.length < nameLength) {
            name = new byte[Math.max(nameLength, 2 * name.length)];
        }
        for (int i = 0; i < nameLength; i++) {
            byte b = from[at + i];
            name[i] = b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
        }
    }

    @Override
    public void value(byte[] from, int at, int end) {
        @Nullable FieldName field = known;
        int named = field == null ? StaticTable.find(name, 0, nameLength) : StaticTable.find(field);
        if (isSecret(field, end - at)) {
            literal(0x10, 4, named, from, at, end);
            return;
        }
        int same = named == 0 ? 0 : StaticTable.find(named, from, at, end);
        if (same > 0) {
            out.integer(0x80, 7, same);
            return;
        }
        int hash = hash(hash(nameLength, name, 0, nameLength), from, at, end);
        same = find(hash, from, at, end);
        if (same > 0) {
            out.integer(0x80, 7, StaticTable.SIZE + same);
            return;
        }
        settled = false;
        int slot = hash >>> 8 & SEEN - 1;
        if (seen[slot] != hash) {
            seen[slot] = hash;
            literal(0, 4, named, from, at, end);
            return;
        }
        literal(0x40, 6, named, from, at, end);
        if (table.reserve(nameLength, end - at)) {
            table.name(
                    field == null ? DynamicTable.UNKNOWN : field.id(), hash, name, 0, nameLength);
            table.value(from, at, end);
        }
    }

    /// Returns whether no table may have a field line.
    private static boolean isSecret(@Nullable FieldName name, int valueLength) {
        if (name == null) {
            return false;
        }
        return name.equals(FieldName.SET_COOKIE)
                || name.equals(FieldName.AUTHORIZATION)
                || name.equals(FieldName.PROXY_AUTHORIZATION)
                || (name.equals(FieldName.COOKIE) && valueLength < LONG_COOKIE_BYTES);
    }

    private void literal(int first, int prefixBits, int named, byte[] from, int at, int end) {
        out.integer(first, prefixBits, named);
        if (named == 0) {
            out.string(name, 0, nameLength);
        }
        out.string(from, at, end);
    }

    private void resize(int bytes) {
        table.limit(bytes);
        out.integer(0x20, 5, bytes);
    }

    /// Returns the index of the entry that equals the line, or 0.
    private int find(int hash, byte[] from, int at, int end) {
        int index = table.find(hash, 1);
        while (index > 0) {
            byte[] entries = table.array();
            int nameAt = table.nameAt(index);
            int nameEnd = table.nameEnd(index);
            if (Arrays.equals(entries, nameAt, nameEnd, name, 0, nameLength)
                    && Arrays.equals(entries, nameEnd, table.valueEnd(index), from, at, end)) {
                return index;
            }
            index = table.find(hash, index + 1);
        }
        return 0;
    }

    /// Returns a number that differs for nearly all other bytes.
    static int hash(int start, byte[] from, int at, int end) {
        long hash = start;
        int i = at;
        while (end - i >= Long.BYTES) {
            hash = (hash ^ (long) WORD.get(from, i)) * MIX;
            hash ^= hash >>> 32;
            i += Long.BYTES;
        }
        while (i < end) {
            hash = (hash ^ from[i++]) * MIX;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }
}
