package dev.serval.servlet.files;

import dev.serval.file.FileValidators;
import dev.serval.http.Fields;
import dev.serval.servlet.dispatch.Unwrapped;
import dev.serval.servlet.request.AppResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Sends a file through the streams of a response, with its type unless the application has set one.
/// Evaluates conditions (RFC 9110 §13). If the response has nothing but the file, it also evaluates a
/// range (§14), but no field that selects several parts. Used by one request; it may block.
final class FileCopy {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final Path file;
    private final @Nullable String type;
    private final HttpServletResponse response;

    /// Creates the copy of a file.
    FileCopy(Path file, @Nullable String type, HttpServletResponse response) {
        this.file = file;
        this.type = type;
        this.response = response;
    }

    /// Writes the file into the response of another servlet.
    void include() throws IOException {
        setType();
        send();
    }

    /// Answers a request with the file.
    ///
    /// @param more whether content follows the file
    void answer(HttpServletRequest request, boolean more) throws IOException {
        boolean only = !more && Unwrapped.isUntouched(request);
        @Nullable Fields fields = isConditional(request) ? Unwrapped.fields(request) : null;
        if (fields == null) {
            sendWhole(only);
            return;
        }
        FileValidators validators = FileValidators.of(file, InstantSource.system());
        if (refusesContent(validators, fields)) {
            return;
        }
        // In a coding of the application, the bytes are others.
        boolean ranges = only && response.getHeader("Content-Encoding") == null;
        if (ranges) {
            response.setHeader("Accept-Ranges", "bytes");
        }
        boolean asks = ranges && request.getMethod().equals("GET");
        FileValidators.@Nullable Part part = asks ? validators.part(fields) : null;
        if (part == null || part.isWhole()) {
            sendWhole(only);
        } else {
            sendPart(part);
        }
    }

    /// Returns whether conditions and ranges of the request count. A response that the application has
    /// given another status has its own meaning. One that must not be stored has no validators: a login
    /// page stands in place of a page that the client may have stored, and must not confirm that page.
    private boolean isConditional(HttpServletRequest request) {
        boolean read = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        @Nullable String caching = response.getHeader("Cache-Control");
        boolean stored = caching == null || !caching.contains("no-store");
        return read && stored && response.getStatus() == HttpServletResponse.SC_OK;
    }

    /// Sets the validators, and answers a condition that excludes the content.
    ///
    /// @return whether the response is complete
    private boolean refusesContent(FileValidators validators, Fields fields) throws IOException {
        response.setHeader("ETag", validators.entityTag());
        response.setHeader("Last-Modified", validators.lastModified());
        return switch (validators.answer(fields)) {
            case CONTENT -> false;
            case NOT_MODIFIED -> {
                response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
                yield true;
            }
            case FAILED -> {
                response.sendError(HttpServletResponse.SC_PRECONDITION_FAILED);
                yield true;
            }
        };
    }

    /// @param only whether the file is all of the content
    private void sendWhole(boolean only) throws IOException {
        setType();
        if (only && response instanceof AppResponse) {
            response.setContentLengthLong(Files.size(file));
        }
        send();
    }

    /// Answers with a part of the file (§15.3.7.1), or with 416 if the file has none of its bytes.
    private void sendPart(FileValidators.Part part) throws IOException {
        response.setHeader("Content-Range", part.contentRange());
        long length = part.end() - part.first();
        if (length == 0) {
            response.sendError(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
            return;
        }
        response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
        setType();
        if (response instanceof AppResponse) {
            response.setContentLengthLong(length);
        }
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(part.first());
            copy(in, response.getOutputStream(), length);
        }
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, length)];
        long left = length;
        int read = 0;
        while (left > 0 && read >= 0) {
            read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read > 0) {
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    private void setType() {
        if (type != null && response.getContentType() == null) {
            response.setContentType(type);
        }
    }

    private void send() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ServletOutputStream out;
            try {
                out = response.getOutputStream();
            } catch (IllegalStateException e) { // the including servlet uses the writer
                PrintWriter writer = response.getWriter();
                writer.write(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                return;
            }
            in.transferTo(out);
        }
    }
}
