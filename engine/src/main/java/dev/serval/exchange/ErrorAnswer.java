package dev.serval.exchange;

import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.ErrorPages;

/// The response of the engine if no handler answered, for any protocol.
///
/// @param head the head of the response
/// @param page the content of the response
record ErrorAnswer(ResponseHead head, byte[] page) {
    private static final String TYPE = "text/html; charset=utf-8";
    private static final Fields RETRY = Fields.of(FieldName.RETRY_AFTER, "1");

    /// Returns the response with that status.
    ///
    /// @param fields added to the head
    /// @param what what was wrong and what would be right
    static ErrorAnswer of(ErrorPages pages, Status status, Fields fields, String what) {
        byte[] page = pages.page(status, what);
        Fields all = Fields.of(FieldName.CONTENT_TYPE, TYPE).addAll(fields);
        return new ErrorAnswer(new ResponseHead(status, all, page.length), page);
    }

    /// Returns the response to a protocol error, with Retry-After if a retry may succeed.
    static ErrorAnswer of(ErrorPages pages, ProtocolError error) {
        String clause = error.what();
        String sentence = Character.toUpperCase(clause.charAt(0)) + clause.substring(1);
        String what = sentence + " (" + error.section() + ")";
        return of(pages, error.status(), fields(error.status()), what);
    }

    /// Returns the response of an aborted exchange, with Retry-After if a retry may succeed.
    static ErrorAnswer of(ErrorPages pages, Fault why) {
        Status status = status(why);
        return of(pages, status, fields(status), "");
    }

    private static Fields fields(Status status) {
        return status.equals(Status.SERVICE_UNAVAILABLE) ? RETRY : Fields.EMPTY;
    }

    Status status() {
        return head.status();
    }

    Body content() {
        return Body.Bytes.of(page);
    }

    private static Status status(Fault why) {
        return switch (why) {
            case PROTOCOL, PEER_GONE -> Status.BAD_REQUEST;
            case TOO_LARGE -> Status.CONTENT_TOO_LARGE;
            case TOO_SLOW -> Status.REQUEST_TIMEOUT;
            case APPLICATION -> Status.INTERNAL_SERVER_ERROR;
            case TIMEOUT, OVERLOAD, SHUTDOWN -> Status.SERVICE_UNAVAILABLE;
        };
    }
}
