package dev.serval.servlet.parameter;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;

/// Tells an application that its request has parameters that cannot be read. The methods of
/// ServletRequest that read parameters throw it (Servlet 6.1, Javadoc of `getParameter`). If the
/// application does not catch it, the container answers with [#statusCode].
public final class ParameterException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final int statusCode;

    /// Creates the exception for a fault of the client.
    public ParameterException(ProtocolError error) {
        super("The parameters of the request cannot be read: " + error.what() + ".");
        statusCode = error.status().code();
    }

    /// Creates the exception for content that did not arrive.
    public ParameterException(Throwable cause) {
        super(
                "The parameters of the request cannot be read, because its content broke off.",
                cause);
        statusCode = Status.BAD_REQUEST.code();
    }

    /// Returns the code of the status for the client.
    public int statusCode() {
        return statusCode;
    }
}
