package dev.serval.servlet.vault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The bytes of a stored session in a file. All numbers are big-endian.
///
/// A file begins with a head. A session that fits has two slots after it, of which the newer record
/// counts. A change writes the other slot, so it leaves one record whole if it is interrupted. A
/// longer session has one record.
///
/// ```
/// head                          record
///  0  "SVSE"                     0  CRC-32C of its other bytes    32  accessed, ms
///  4  format 2                   4  sequence: the higher is newer 40  flags: 1 confirmed
///  6  1 if it has two slots      8  length of the attributes      42  length of the id
///  8  used last, ms             12  timeout, s                    44  id (ASCII)
/// 16  slot or record            16  created, ms                       attributes
/// 2056  second slot             24  last accessed, ms
/// ```
///
/// The time in the head is later than that of the record if only the time was written since. The
/// checksum finds damage, not forgery: the folder belongs to the user of the server. Stateless.
final class RecordFormat {
    /// The length of a file with two slots, at most: a block of most file systems.
    static final int PAIR_BYTES = 4_096;

    /// Where the time of the last use is, 8 bytes.
    static final int USED_AT = 8;

    /// The most characters of an id.
    static final int ID_MAX = 128;

    private static final int MAGIC = 0x53565345;
    private static final short FORMAT = 2;
    private static final int HEAD_BYTES = 16;
    private static final int RECORD_HEAD_BYTES = 44; // and then its id and attributes
    private static final int SLOT_BYTES = (PAIR_BYTES - HEAD_BYTES) / 2;
    private static final int SECOND = HEAD_BYTES + SLOT_BYTES;

    private RecordFormat() {}

    /// A record in a file.
    ///
    /// @param other where the next record of the session goes; 0 if the file has no two slots
    /// @param sequence its place among the records of the file
    record Found(StoredSession session, int other, int sequence) {}

    /// What the start of a file says.
    ///
    /// @param confirmed whether a client has returned the id
    /// @param usedMillis when the session was used last
    /// @param maxInactiveSeconds its timeout
    record Summary(boolean confirmed, long usedMillis, int maxInactiveSeconds) {}

    /// Returns whether the file of a session has two slots.
    static boolean isPair(StoredSession session) {
        return recordBytes(session) <= SLOT_BYTES;
    }

    private static int recordBytes(StoredSession session) {
        return RECORD_HEAD_BYTES + session.id().length() + session.attributes().length;
    }

    /// Returns how long the file of a session becomes, at most.
    static long fileBytes(StoredSession session) {
        return isPair(session) ? PAIR_BYTES : (long) HEAD_BYTES + recordBytes(session);
    }

    /// Returns the bytes of a new file.
    static byte[] file(StoredSession session) {
        byte[] record = record(session, 1);
        return ByteBuffer.allocate(HEAD_BYTES + record.length)
                .putInt(MAGIC)
                .putShort(FORMAT)
                .putShort((short) (isPair(session) ? 1 : 0))
                .putLong(session.accessedMillis())
                .put(record)
                .array();
    }

    /// Returns the bytes of a record.
    static byte[] record(StoredSession session, int sequence) {
        byte[] id = session.id().getBytes(StandardCharsets.US_ASCII);
        byte[] attributes = session.attributes();
        ByteBuffer out = ByteBuffer.allocate(RECORD_HEAD_BYTES + id.length + attributes.length);
        out.putInt(0).putInt(sequence).putInt(attributes.length);
        out.putInt(session.maxInactiveSeconds());
        out.putLong(session.createdMillis()).putLong(session.lastAccessedMillis());
        out.putLong(session.accessedMillis());
        out.putShort((short) (session.confirmed() ? 1 : 0)).putShort((short) id.length);
        out.put(id).put(attributes);
        out.putInt(0, checksum(out, 0, out.capacity()));
        return out.array();
    }

    /// Returns what the first bytes of a file say. If no record is whole, that is found when the
    /// session is read.
    ///
    /// @param start the first [#PAIR_BYTES] of the file, or all
    /// @param length of the file
    /// @throws DamagedSessionException if they are not those of a file of this format
    static Summary summary(byte[] start, long length) throws DamagedSessionException {
        ByteBuffer in = checked(start);
        int at = isPair(in) ? Math.max(HEAD_BYTES, newestOfPair(in)) : HEAD_BYTES;
        if (!isRecord(in, at) || end(in, at) > length) {
            throw new DamagedSessionException("it has only " + length + " bytes");
        }
        return new Summary(
                in.getShort(at + 40) == 1,
                Math.max(in.getLong(USED_AT), in.getLong(at + 32)),
                in.getInt(at + 12));
    }

    private static ByteBuffer checked(byte[] file) throws DamagedSessionException {
        ByteBuffer in = ByteBuffer.wrap(file);
        if (file.length < HEAD_BYTES + RECORD_HEAD_BYTES
                || in.getInt(0) != MAGIC
                || in.getShort(4) != FORMAT
                || (in.getShort(6) & ~1) != 0) {
            throw new DamagedSessionException("it does not begin as a session of this version");
        }
        return in;
    }

    private static boolean isPair(ByteBuffer file) {
        return file.getShort(6) == 1;
    }

    /// Returns the newest record of a file that is whole.
    ///
    /// @throws DamagedSessionException if none is
    static Found newest(byte[] file) throws DamagedSessionException {
        ByteBuffer in = checked(file);
        boolean pair = isPair(in);
        int at = pair ? newestOfPair(in) : isWhole(in, HEAD_BYTES, file.length) ? HEAD_BYTES : 0;
        if (at == 0) {
            throw new DamagedSessionException("its checksum is wrong, or bytes are missing");
        }
        int other = pair ? HEAD_BYTES + SECOND - at : 0;
        return new Found(session(in, at), other, in.getInt(at + 4));
    }

    /// Returns where the newer whole record of two is; 0 if none is whole.
    private static int newestOfPair(ByteBuffer in) {
        boolean first = isWhole(in, HEAD_BYTES, Math.min(SECOND, in.capacity()));
        boolean second = isWhole(in, SECOND, Math.min(PAIR_BYTES, in.capacity()));
        if (first && second) {
            boolean isSecond = in.getInt(SECOND + 4) - in.getInt(HEAD_BYTES + 4) > 0;
            return isSecond ? SECOND : HEAD_BYTES;
        }
        return first ? HEAD_BYTES : second ? SECOND : 0;
    }

    /// Returns whether a record begins at a place, as far as its lengths say.
    private static boolean isRecord(ByteBuffer file, int at) {
        return file.capacity() - at >= RECORD_HEAD_BYTES
                && file.getInt(at + 8) >= 0
                && file.getShort(at + 42) >= 1
                && file.getShort(at + 42) <= ID_MAX;
    }

    private static long end(ByteBuffer file, int at) {
        return (long) at + RECORD_HEAD_BYTES + file.getShort(at + 42) + file.getInt(at + 8);
    }

    private static boolean isWhole(ByteBuffer file, int at, int limit) {
        return isRecord(file, at)
                && end(file, at) <= limit
                && file.getInt(at) == checksum(file, at, (int) end(file, at));
    }

    private static StoredSession session(ByteBuffer in, int at) {
        byte[] id = new byte[in.getShort(at + 42)];
        in.get(at + RECORD_HEAD_BYTES, id);
        byte[] attributes = new byte[in.getInt(at + 8)];
        in.get(at + RECORD_HEAD_BYTES + id.length, attributes);
        return new StoredSession(
                new String(id, StandardCharsets.US_ASCII),
                in.getShort(at + 40) == 1,
                in.getLong(at + 16),
                in.getLong(at + 24),
                Math.max(in.getLong(USED_AT), in.getLong(at + 32)),
                in.getInt(at + 12),
                /* version */ 0,
                attributes);
    }

    private static int checksum(ByteBuffer in, int at, int end) {
        CRC32C sum = new CRC32C();
        sum.update(in.slice(at + Integer.BYTES, end - at - Integer.BYTES));
        return (int) sum.getValue();
    }
}
