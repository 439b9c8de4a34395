package dev.serval.app;

import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.io.Serial;

/// Ends a request with an error response: `throw new HttpException(404, "There is no such user.")`.
/// The response is the server's error page, unless [App.Builder#exception] registered another. The
/// exception is not logged, because it is no fault of the server.
public final class HttpException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final transient Status status;

    /// Creates an error response.
    ///
    /// @param status 400 to 599
    /// @param what shown to the client as plain text: what was wrong and what would be right
    /// @throws IllegalArgumentException if the status is not from 400 to 599
    public HttpException(int status, String what) {
        this(Status.of(status), what);
    }

    HttpException(Status status, String what) {
        super(what);
        if (!status.error()) {
            throw new IllegalArgumentException(
                    "An HttpException has a status from 400 to 599, not "
                            + status.code()
                            + ": set other statuses with AppExchange.status.");
        }
        this.status = status;
    }

    /// Returns the exception for an error that a codec found in the request.
    static HttpException of(ProtocolError error) {
        String what = error.what();
        String sentence = Character.toUpperCase(what.charAt(0)) + what.substring(1);
        return new HttpException(error.status(), sentence + " (" + error.section() + ").");
    }

    /// Returns the status of the response.
    public Status status() {
        return status;
    }

    /// Returns the answer that sends the error page.
    Answer answer(Fields fields) {
        String what = String.valueOf(getMessage());
        return Answer.of(x -> x.refuse(status, fields, what));
    }
}
