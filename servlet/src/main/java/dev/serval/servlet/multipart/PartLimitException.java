package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;

/// Tells an application that its request has parts beyond a limit (Servlet 6.1, Javadoc of
/// `getParts`). If the application does not catch it, the container answers with [#statusCode].
public final class PartLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final int statusCode;

    PartLimitException(ProtocolError error) {
        super("The parts of the request are not accepted: " + error.what() + ".");
        statusCode = error.status().code();
    }

    /// Returns the code of the status for the client.
    public int statusCode() {
        return statusCode;
    }
}
