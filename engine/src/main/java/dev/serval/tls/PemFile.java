package dev.serval.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a file or a text of PEM blocks (RFC 7468).
final class PemFile {
    /// The most bytes of a file. A chain has some KiB.
    static final int MAX_BYTES = 1 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("(?s)-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----");

    private PemFile() {}

    /// One block.
    ///
    /// @param label such as `CERTIFICATE` or `PRIVATE KEY`
    record Block(String label, byte[] bytes) {}

    /// Returns the blocks of a file in their order.
    ///
    /// @throws IOException if the file cannot be read, or a block is not in Base64; the message names
    ///     the file
    static List<Block> read(Path file) throws IOException {
        return blocks(file.toString(), new String(bytes(file), StandardCharsets.ISO_8859_1));
    }

    /// Returns the blocks of a text in their order.
    ///
    /// @param source where it comes from, for messages
    /// @throws IOException if a block is not in Base64; the message names the source
    static List<Block> blocks(String source, String text) throws IOException {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), decoded(source, matcher.group(2))));
        }
        return blocks;
    }

    /// Returns the bytes of a file.
    ///
    /// @throws IOException if it cannot be read; the message names the file and the reason
    static byte[] bytes(Path file) throws IOException {
        return bytes(file, MAX_BYTES, "a file of keys");
    }

    /// Returns the bytes of a file that may be longer.
    ///
    /// @param what it should be
    static byte[] bytes(Path file, int maxBytes, String what) throws IOException {
        try {
            if (Files.size(file) > maxBytes) {
                throw new IOException(
                        file + " is larger than " + (maxBytes >> 20) + " MiB: name " + what);
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("There is no file " + file, e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + " may not be read by the user of this process", e);
        }
    }

    private static byte[] decoded(String source, String base64) throws IOException {
        if (base64.contains("Proc-Type:")) { // RFC 1421, as OpenSSL wrote keys before version 3
            throw new IOException(
                    "The key in "
                            + source
                            + " is encrypted in an old way: convert it by \"openssl pkcs8 -topk8\"");
        }
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(source + " has a block that is not Base64: " + e.getMessage(), e);
        }
    }
}
