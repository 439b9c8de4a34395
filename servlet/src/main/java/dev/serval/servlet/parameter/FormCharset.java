package dev.serval.servlet.parameter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The charset of one query or form. Almost all charsets read bytes below 0x80 as ASCII, so text
/// without higher bytes needs no conversion. Owned by one call of [Parameters].
final class FormCharset {
    private static final int ASCII_END = 0x80;

    private final Charset charset;
    private final boolean readsAscii;
    private @Nullable CharsetDecoder decoder;

    FormCharset(Charset charset) {
        this.charset = charset;
        this.readsAscii =
                charset.equals(StandardCharsets.UTF_8)
                        || charset.equals(StandardCharsets.ISO_8859_1)
                        || charset.equals(StandardCharsets.US_ASCII)
                        || readsAscii(charset);
    }

    /// Returns whether a text must be checked or converted.
    ///
    /// @param high whether the text has bytes above 0x7f
    boolean affects(boolean high) {
        return high || !readsAscii;
    }

    /// Returns whether the charset is UTF-8, so that text must only be checked.
    boolean utf8() {
        return charset.equals(StandardCharsets.UTF_8);
    }

    /// Returns the text of `bytes[from, to)`; null if the charset does not allow the bytes.
    @Nullable String decode(byte[] bytes, int from, int to) {
        if (charset.equals(StandardCharsets.ISO_8859_1)) {
            return new String(bytes, from, to - from, charset);
        }
        CharsetDecoder used = decoder;
        if (used == null) {
            used =
                    charset.newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT);
            decoder = used;
        }
        try {
            return used.decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
        } catch (CharacterCodingException invalid) {
            return null; // the JDK reports invalid input only by exceptions
        }
    }

    /// Tests UTF-16, EBCDIC or ISO-2022-JP, whose bytes below 0x80 mean something else.
    private static boolean readsAscii(Charset charset) {
        byte[] ascii = new byte[ASCII_END];
        for (int b = 0; b < ascii.length; b++) {
            ascii[b] = (byte) b;
        }
        String text = new String(ascii, charset);
        for (int b = 0; b < ASCII_END; b++) {
            if (text.length() != ASCII_END || text.charAt(b) != b) {
                return false;
            }
        }
        return true;
    }
}
