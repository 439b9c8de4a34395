package dev.serval.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The encoding of commands and answers. A command is the number of its words, then each word. An
/// answer is a sequence of frames: a kind, then a text, or the exit code, which is the last. Numbers
/// have four bytes. A text is its length in bytes, then UTF-8.
final class Wire {
    /// The first number of a command: "SRV" and the version of the encoding.
    static final int MAGIC = 0x53525601;

    static final int WORDS_MAX = 64;
    static final int TEXT_MAX_BYTES = 64 << 10;

    private static final int UTF_8_MAX_BYTES = 3; // for each char

    static final int LINE = 1;
    static final int PROBLEM = 2;
    static final int END = 3;

    private Wire() {}

    /// Writes a command.
    ///
    /// @throws IllegalArgumentException if it has too many words or one is too long
    static void writeCommand(DataOutputStream out, List<String> words) throws IOException {
        if (words.size() > WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A command has at most " + WORDS_MAX + " words, not " + words.size());
        }
        out.writeInt(MAGIC);
        out.writeInt(words.size());
        for (String word : words) {
            writeText(out, word);
        }
        out.flush();
    }

    /// Reads a command.
    ///
    /// @throws IOException if the bytes are none
    static List<String> readCommand(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("The client speaks another version of the control protocol");
        }
        int count = in.readInt();
        if (count < 1 || count > WORDS_MAX) {
            throw new IOException("A command has from 1 to " + WORDS_MAX + " words, not " + count);
        }
        List<String> words = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            words.add(readText(in));
        }
        return List.copyOf(words);
    }

    /// Returns a text of any length without what would not fit.
    static String shortened(String text) {
        int charsMax = TEXT_MAX_BYTES / UTF_8_MAX_BYTES;
        return text.length() < charsMax ? text : text.substring(0, charsMax - 1) + "…";
    }

    static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > TEXT_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A text has at most " + TEXT_MAX_BYTES + " bytes, not " + bytes.length);
        }
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > TEXT_MAX_BYTES) {
            throw new IOException("A text has at most " + TEXT_MAX_BYTES + " bytes, not " + length);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException(
                    "The text ends after " + bytes.length + " of " + length + " bytes");
        }
        return new String(bytes, UTF_8);
    }
}
