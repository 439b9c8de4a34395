package dev.serval.servlet.vault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The bytes of a stored session in a file. All numbers are big-endian.
///
/// ```
///  0  "SVSE"              16  created, ms          44  length of the id
///  4  format 1            24  last accessed, ms    46  zero
///  6  flags: 1 confirmed  32  accessed, ms         48  id (ASCII), then attributes
///  8  length of attributes 40 timeout, s
/// 12  CRC-32C of the bytes from 16 to the end
/// ```
///
/// The checksum finds damage, not forgery: the folder belongs to the user of the server. Stateless.
final class RecordFormat {
    /// The bytes before the id.
    static final int HEAD_BYTES = 48;

    /// The most characters of an id.
    static final int ID_MAX = 128;

    private static final int MAGIC = 0x53565345;
    private static final short FORMAT = 1;
    private static final short CONFIRMED = 1;
    private static final int CHECKED_FROM = 16;

    private RecordFormat() {}

    /// What the head of a record says.
    ///
    /// @param confirmed whether a client has returned the id
    /// @param accessedMillis when the session was used last
    /// @param maxInactiveSeconds its timeout
    /// @param totalBytes the length of the record
    record Head(boolean confirmed, long accessedMillis, int maxInactiveSeconds, long totalBytes) {}

    static byte[] encode(StoredSession session) {
        byte[] id = session.id().getBytes(StandardCharsets.US_ASCII);
        byte[] attributes = session.attributes();
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + id.length + attributes.length);
        out.putInt(MAGIC).putShort(FORMAT).putShort(session.confirmed() ? CONFIRMED : 0);
        out.putInt(attributes.length).putInt(0);
        out.putLong(session.createdMillis()).putLong(session.lastAccessedMillis());
        out.putLong(session.accessedMillis()).putInt(session.maxInactiveSeconds());
        out.putShort((short) id.length).putShort((short) 0);
        out.put(id).put(attributes);
        out.putInt(CHECKED_FROM - Integer.BYTES, checksum(out.array()));
        return out.array();
    }

    /// Returns what the first bytes of a record say, which are not checked for damage.
    ///
    /// @return null if they are not those of a record of this format
    static @Nullable Head head(ByteBuffer in) {
        if (in.remaining() < HEAD_BYTES
                || in.getInt(0) != MAGIC
                || in.getShort(4) != FORMAT
                || in.getInt(8) < 0
                || in.getShort(44) < 1
                || in.getShort(44) > ID_MAX) {
            return null;
        }
        return new Head(
                in.getShort(6) == CONFIRMED,
                in.getLong(32),
                in.getInt(40),
                HEAD_BYTES + (long) in.getShort(44) + in.getInt(8));
    }

    /// Returns the session of a whole record.
    ///
    /// @throws DamagedSessionException if the bytes are not one
    static StoredSession decode(byte[] bytes) throws DamagedSessionException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        @Nullable Head head = head(in);
        if (head == null) {
            throw new DamagedSessionException("it does not begin as a session of this version");
        }
        if (head.totalBytes() != bytes.length) {
            throw new DamagedSessionException(
                    "it has " + bytes.length + " bytes instead of " + head.totalBytes());
        }
        if (in.getInt(12) != checksum(bytes)) {
            throw new DamagedSessionException("its checksum is wrong");
        }
        int idLength = in.getShort(44);
        byte[] attributes = new byte[bytes.length - HEAD_BYTES - idLength];
        in.get(HEAD_BYTES + idLength, attributes);
        return new StoredSession(
                new String(bytes, HEAD_BYTES, idLength, StandardCharsets.US_ASCII),
                head.confirmed(),
                in.getLong(16),
                in.getLong(24),
                head.accessedMillis(),
                head.maxInactiveSeconds(),
                0,
                attributes);
    }

    private static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, CHECKED_FROM, bytes.length - CHECKED_FROM);
        return (int) sum.getValue();
    }
}
