package dev.serval.servlet.run;

import dev.serval.servlet.multipart.MultipartException;
import dev.serval.servlet.multipart.PartLimitException;
import dev.serval.servlet.parameter.ParameterException;
import dev.serval.servlet.session.SessionUnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/// Finds out whether an exception that the application let pass has a status of its own: the fault is
/// the client's, or a session is not available now.
final class ClientFault {
    private static final int CAUSES_MAX = 16;

    private ClientFault() {}

    /// Returns the status for content that is malformed or beyond a limit, or for a session that is not
    /// available; 0 for any other fault.
    static int status(Throwable thrown) {
        @Nullable Throwable one = thrown;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            if (one instanceof MultipartException parts) {
                return parts.statusCode();
            }
            if (one instanceof SessionUnavailableException) {
                return HttpServletResponse.SC_SERVICE_UNAVAILABLE;
            }
            if (one instanceof PartLimitException limit) {
                return limit.statusCode();
            }
            if (one instanceof ParameterException parameters && one.getCause() == null) {
                return parameters.statusCode();
            }
            one = one.getCause();
        }
        return 0;
    }
}
