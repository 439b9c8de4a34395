package dev.serval.lrwp.peer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a connection registers: a name, a virtual host and the protocol's version. Immutable.
///
/// LRWP 1.0 sends `name FF host FF`, LRWP 2.0 sends `FF 2.0 FF name FF host FF`. FF is byte 255.
/// Neither has a terminator.
///
/// @param name the path prefix, such as `osp` or `several/parts`, an extension such as `.abc`, or `/`
///     for each path
/// @param host the virtual host; empty for any host
/// @param passphrase answers a challenge of LRWP 2.0
record Registration(String name, String host, LrwpVersion version, byte @Nullable [] passphrase) {
    /// The longest name and the longest host, in bytes.
    static final int PART_MAX_BYTES = 200;

    private static final int CHALLENGE_BYTES = 32;
    private static final int MARK = 0xFF;

    /// Checks the parts.
    ///
    /// @throws IllegalArgumentException if one cannot be registered
    Registration {
        name = name.startsWith("/") && name.length() > 1 ? name.substring(1) : name;
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the name is empty: give the first part of the path, such as osp, or / for each path");
        }
        check("name", name, ' ', "a control character"); // a path has blanks after it was decoded
        check("host", host, '!', "a blank or a control character");
        if (passphrase != null && passphrase.length == 0) {
            throw new IllegalArgumentException("the passphrase is empty: give at least one byte");
        }
    }

    /// Returns a registration without a passphrase.
    static Registration open(String name, String host, LrwpVersion version) {
        return new Registration(name, host, version, null);
    }

    /// Checks the length of a part and that it has no character below `lowest`.
    ///
    /// @param refused what such a character is called
    private static void check(String what, String part, char lowest, String refused) {
        int bytes = part.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > PART_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the "
                            + what
                            + " has "
                            + bytes
                            + " bytes: at most "
                            + PART_MAX_BYTES
                            + " are allowed");
        }
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) < lowest || part.charAt(i) == 0x7F) {
                throw new IllegalArgumentException(
                        "the "
                                + what
                                + " has "
                                + refused
                                + " at index "
                                + i
                                + ": use letters, digits and signs");
            }
        }
    }

    /// Returns the bytes that register.
    byte[] startup() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        if (version == LrwpVersion.V2_0) {
            out.write(MARK);
            out.writeBytes("2.0".getBytes(StandardCharsets.US_ASCII));
            out.write(MARK);
        }
        out.writeBytes(name.getBytes(StandardCharsets.UTF_8));
        out.write(MARK);
        out.writeBytes(host.getBytes(StandardCharsets.UTF_8));
        out.write(MARK);
        return out.toByteArray();
    }

    /// Returns the answer to a challenge, or null without a passphrase. The answer has nine digits
    /// and the challenge combined with the passphrase by exclusive or.
    byte @Nullable [] answer(byte[] challenge) {
        if (passphrase == null) {
            return null;
        }
        byte[] answer = new byte[RequestDecoder.DIGITS + CHALLENGE_BYTES];
        RequestDecoder.putLength(answer, 0, CHALLENGE_BYTES);
        for (int i = 0; i < CHALLENGE_BYTES; i++) {
            answer[RequestDecoder.DIGITS + i] =
                    (byte) (challenge[i] ^ passphrase[i % passphrase.length]);
        }
        return answer;
    }
}
