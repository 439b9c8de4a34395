package dev.serval.handler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a mount answers in place of the server's page for an error. The status stays that of the
/// error. Immutable.
public sealed interface ErrorDocument {
    /// A page in memory.
    ///
    /// @param type the value of Content-Type
    /// @param content must not be changed
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Page(String type, byte[] content) implements ErrorDocument {}

    /// A path of the same host, which a GET without content is routed to: a file or an application.
    /// Only errors that handlers report are sent there. If the server itself ends an exchange, such
    /// as at its deadline, or the path fails too, the answer is the server's page.
    ///
    /// @param path decoded, `/name[/name…]`
    record Internal(String path) implements ErrorDocument {
        /// Checks the path.
        public Internal {
            if (!path.startsWith("/") || path.contains("//") || path.contains("/.")) {
                throw new IllegalArgumentException(
                        "The path of an error page begins with / and has no empty or hidden"
                                + " segments, such as /errors/404.html, but is \""
                                + path
                                + "\"");
            }
        }
    }

    /// The longest page.
    int PAGE_MAX_BYTES = 1 << 20;

    /// Reads a page of HTML in UTF-8. A later change of the file is not noticed.
    ///
    /// @throws IOException if it cannot be read, or is longer than [#PAGE_MAX_BYTES]
    static ErrorDocument read(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > PAGE_MAX_BYTES) {
            throw new IOException(
                    "The error page "
                            + file
                            + " has "
                            + bytes
                            + " bytes: it must have at most "
                            + PAGE_MAX_BYTES);
        }
        return new Page("text/html; charset=utf-8", Files.readAllBytes(file));
    }
}
