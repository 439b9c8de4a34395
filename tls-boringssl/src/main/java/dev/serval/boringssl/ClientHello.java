package dev.serval.boringssl;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads what a client offers by ALPN, which BoringSSL does not tell. Stateless.
final class ClientHello {
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int ALPN = 16; // RFC 7301 §3.1

    private ClientHello() {}

    /// Returns whether the client offers protocols, but none of these. It looks only at a message that is
    /// whole in its record, as those of all clients are. A malformed one is left to BoringSSL.
    ///
    /// @param record at its position
    static boolean offersOthers(ByteBuffer record, List<String> protocols) {
        ByteBuffer message = record.slice();
        boolean whole =
                skip(message, RECORD_HEADER + MESSAGE_HEADER + VERSION_AND_RANDOM)
                        && skip(message, length(message, 1)) // session id
                        && skip(message, length(message, 2)) // cipher suites
                        && skip(message, length(message, 1)) // compression
                        && length(message, 2) == message.remaining();
        while (whole && message.remaining() >= MESSAGE_HEADER) {
            boolean found = length(message, 2) == ALPN;
            int length = length(message, 2);
            if (found && length >= 2 && length <= message.remaining()) {
                return !offersOne(message.slice(message.position() + 2, length - 2), protocols);
            }
            whole = skip(message, length);
        }
        return false;
    }

    private static boolean offersOne(ByteBuffer names, List<String> protocols) {
        while (names.hasRemaining()) {
            int length = length(names, 1);
            if (length > names.remaining()) {
                return true; // malformed
            }
            byte[] name = new byte[length];
            names.get(name);
            if (protocols.contains(new String(name, StandardCharsets.ISO_8859_1))) {
                return true;
            }
        }
        return false;
    }

    /// Reads a number of one or two bytes; -1 if they are missing.
    private static int length(ByteBuffer message, int bytes) {
        if (message.remaining() < bytes) {
            return -1;
        }
        return bytes == 1 ? message.get() & 0xff : message.getShort() & 0xffff;
    }

    private static boolean skip(ByteBuffer message, int bytes) {
        if (bytes < 0 || bytes > message.remaining()) {
            return false;
        }
        message.position(message.position() + bytes);
        return true;
    }
}
