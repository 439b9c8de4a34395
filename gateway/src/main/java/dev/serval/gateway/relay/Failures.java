package dev.serval.gateway.relay;

import dev.serval.gateway.peer.Refusal;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;

/// Answers exchanges that got no answer from their peer. Stateless.
public final class Failures {
    private Failures() {}

    /// Answers a request for which the pool found no peer.
    public static void refused(Exchange x, Refusal why) {
        switch (why) {
            case QUEUE_FULL, QUEUE_TIMEOUT, NO_PEER, DRAINED ->
                    x.refuse(
                            Status.SERVICE_UNAVAILABLE,
                            Fields.of(FieldName.RETRY_AFTER, "1"),
                            "The application has no room for this request at the moment; please"
                                    + " try again.");
            case UNREACHABLE ->
                    x.refuse(
                            Status.BAD_GATEWAY,
                            Fields.EMPTY,
                            "The application behind this server cannot be reached.");
        }
    }

    /// Answers a request whose peer left or sent a wrong answer. A response that has begun is
    /// aborted, so that the client notices that it is not complete.
    ///
    /// @param begun whether the response has begun
    public static void broken(Exchange x, boolean begun, String what) {
        if (begun) {
            x.response().abort(Fault.APPLICATION);
        } else {
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, what);
        }
    }

    /// Answers a request whose peer did not answer in time.
    ///
    /// @param begun whether the response has begun
    public static void late(Exchange x, boolean begun) {
        if (begun) {
            x.response().abort(Fault.TIMEOUT);
        } else {
            x.refuse(
                    Status.GATEWAY_TIMEOUT,
                    Fields.EMPTY,
                    "The application behind this server did not answer in time.");
        }
    }
}
