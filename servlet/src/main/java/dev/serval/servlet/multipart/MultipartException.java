package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.io.IOException;

/// Tells an application that the parts of its request cannot be read: the content is malformed, or
/// the spool has no room. If the application does not catch it, the container answers with
/// [#statusCode]. Sizes beyond what the servlet declares are a [PartLimitException] instead.
public final class MultipartException extends IOException {
    private static final long serialVersionUID = 1;

    private final int statusCode;

    MultipartException(ProtocolError error) {
        this(
                error.status(),
                "The parts of the request cannot be read: "
                        + error.what()
                        + " ("
                        + error.section()
                        + ").");
    }

    MultipartException(Status status, String message) {
        super(message);
        statusCode = status.code();
    }

    /// Returns the code of the status for the client.
    public int statusCode() {
        return statusCode;
    }
}
