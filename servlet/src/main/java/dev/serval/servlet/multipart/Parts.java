package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.parameter.MediaType;
import dev.serval.servlet.parameter.Parameters;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of a request (Servlet 6.1 §3.2). Small parts are kept in memory, others in the spool.
/// The request closes it at its end, which deletes the files. Owned by the thread that handles the
/// request.
public final class Parts implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Parts.class.getName());
    private static final int CHUNK_BYTES = 16 << 10;

    /// Text up to this size stays in memory whatever the threshold for files is, because it becomes
    /// a parameter.
    private static final int TEXT_IN_MEMORY_BYTES = 8 << 10;

    private final PartRules rules;
    private final MultipartParser parser;
    private final List<FormPart> parts = new ArrayList<>();
    private @Nullable IncomingPart incoming;
    private long received;

    private Parts(PartRules rules, String boundary) {
        this.rules = rules;
        this.parser = new MultipartParser(boundary, rules.bounds());
    }

    /// Reads the content of a request to its end. If it fails, no file is left.
    ///
    /// @param declaredBytes the length of the content; -1 if it is not known
    /// @param type the Content-Type of the request; null if there is none
    /// @throws ServletException if the content is not multipart/form-data
    /// @throws MultipartException if the content is malformed, or the spool has no room
    /// @throws PartLimitException if a size or number is beyond its limit
    /// @throws IOException if the content breaks off, or a file cannot be written
    public static Parts read(
            InputStream content, long declaredBytes, @Nullable MediaType type, PartRules rules)
            throws IOException, ServletException {
        if (type == null || !type.is(MediaType.MULTIPART)) {
            throw new ServletException(
                    "The request has no parts: its Content-Type is not multipart/form-data.");
        }
        @Nullable String boundary = type.parameter("boundary");
        if (boundary == null || !MultipartParser.valid(boundary)) {
            throw new MultipartException(MultipartFault.NO_BOUNDARY);
        }
        Parts parts = new Parts(rules, boundary);
        boolean complete = false;
        try {
            parts.checkTotal(declaredBytes);
            parts.readAll(content);
            complete = true;
        } finally {
            if (!complete) {
                parts.close();
            }
        }
        return parts;
    }

    /// Returns all parts, in order, as a new collection.
    public Collection<Part> all() {
        return new ArrayList<>(parts);
    }

    /// Returns the first part of that name; null if there is none.
    public @Nullable Part first(String name) {
        for (FormPart part : parts) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /// Adds the parts without a file name as parameters. Their charset is the one of the part, else
    /// that of the request. A part named `_charset_` is a parameter like others (RFC 7578 §4.6).
    ///
    /// @param maxBytes limit of all text together
    /// @return the error, or null
    public @Nullable ProtocolError addTo(Parameters parameters, int maxBytes) throws IOException {
        long left = maxBytes;
        for (FormPart part : parts) {
            if (part.isText()) {
                left -= part.getSize();
                if (left < 0) {
                    return MultipartFault.TEXT_TOO_LARGE;
                }
                @Nullable String text = text(part);
                @Nullable ProtocolError error =
                        text == null
                                ? MultipartFault.BAD_TEXT
                                : parameters.add(part.getName(), text);
                if (error != null) {
                    return error;
                }
            }
        }
        return null;
    }

    /// Deletes all files that the application has not moved. A second call does nothing.
    @Override
    public void close() {
        IncomingPart unfinished = incoming;
        incoming = null;
        if (unfinished != null) {
            try {
                unfinished.discard();
            } catch (IOException e) {
                logKept(e);
            }
        }
        for (FormPart part : parts) {
            try {
                part.delete();
            } catch (IOException e) {
                logKept(e);
            }
        }
    }

    private void readAll(InputStream content) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        while (true) {
            int read = content.read(chunk, 0, chunk.length);
            if (read < 0) {
                break;
            }
            received += read;
            checkTotal(received);
            parser.feed(chunk, 0, read);
            takeEvents();
        }
        @Nullable ProtocolError error = parser.finish();
        if (error != null) {
            throw new MultipartException(error);
        }
    }

    private void takeEvents() throws IOException {
        while (true) {
            switch (parser.next()) {
                case MORE -> {
                    return;
                }
                case HEAD -> begin();
                case CONTENT -> append();
                case PART_END -> end();
                case ERROR -> throw refused();
            }
        }
    }

    private void begin() throws MultipartException {
        @Nullable PartHead head =
                PartHead.parse(parser.headArray(), parser.headLength(), rules.charset());
        if (head == null) {
            throw new MultipartException(MultipartFault.HEAD);
        }
        int threshold = Math.max(0, rules.limits().fileThresholdBytes());
        boolean text = head.fileName() == null;
        int kept = text ? Math.max(threshold, TEXT_IN_MEMORY_BYTES) : threshold;
        incoming = new IncomingPart(head, kept, rules.spool());
    }

    private void append() throws IOException {
        IncomingPart part = incoming;
        if (part == null) {
            throw new IllegalStateException("The parser found content before a head");
        }
        long length = part.length() + parser.contentEnd() - parser.contentAt();
        MultipartLimits limits = rules.limits();
        if (limits.fileMaxBytes() >= 0 && length > limits.fileMaxBytes()) {
            throw new PartLimitException(MultipartFault.PART_TOO_LARGE);
        }
        part.write(parser.contentArray(), parser.contentAt(), parser.contentEnd());
    }

    private void end() throws IOException {
        IncomingPart part = incoming;
        if (part == null) {
            throw new IllegalStateException("The parser found the end of a part before its head");
        }
        parts.add(part.finish(rules.location()));
        incoming = null;
    }

    /// Throws the exception for the parser's fault.
    private MultipartException refused() {
        @Nullable ProtocolError error = parser.error();
        if (error == null) {
            throw new IllegalStateException("The parser refused content without a fault");
        }
        if (error.status().equals(Status.CONTENT_TOO_LARGE)) {
            throw new PartLimitException(error);
        }
        return new MultipartException(error);
    }

    private void checkTotal(long bytes) {
        long most = rules.limits().requestMaxBytes();
        if (most >= 0 && bytes > most) {
            throw new PartLimitException(MultipartFault.REQUEST_TOO_LARGE);
        }
    }

    private @Nullable String text(FormPart part) throws IOException {
        @Nullable Charset charset = charset(part);
        if (charset == null) {
            return null;
        }
        try (InputStream in = part.getInputStream()) {
            byte[] bytes = in.readAllBytes();
            return PartHead.text(bytes, 0, bytes.length, charset);
        }
    }

    /// Returns the charset of a part's text; null if it names an unknown one.
    private @Nullable Charset charset(FormPart part) {
        @Nullable String contentType = part.getContentType();
        @Nullable MediaType type = contentType == null ? null : MediaType.parse(contentType);
        @Nullable String name = type == null ? null : type.charset();
        if (name == null) {
            return rules.charset();
        }
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return null;
        }
    }

    private static void logKept(IOException e) {
        LOG.log(
                Level.WARNING,
                "A file of an upload cannot be deleted from the spool; the next start tries again.",
                e);
    }
}
