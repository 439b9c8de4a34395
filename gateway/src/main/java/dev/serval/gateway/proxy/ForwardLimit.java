package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// The limit of hops that an OPTIONS request may set by Max-Forwards (RFC 9110 §7.6.2). Other
/// methods have none here: TRACE is refused by the engine. Stateless.
final class ForwardLimit {
    /// The request has no limit.
    static final int NONE = -1;

    /// The field is malformed.
    static final int WRONG = -2;

    private static final int DIGITS_MAX = 9;

    private static final ResponseHead OPTIONS =
            new ResponseHead(
                    Status.NO_CONTENT,
                    Fields.of(FieldName.ALLOW, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
                    0);

    private ForwardLimit() {}

    /// Returns how often the request may be forwarded; [#NONE] or [#WRONG] if there is no number.
    static int of(RequestHead head) {
        Fields fields = head.fields();
        int field =
                head.method() == Method.OPTIONS ? fields.indexOf(FieldName.MAX_FORWARDS, 0) : -1;
        if (field < 0) {
            return NONE;
        }
        int from = fields.valueAt(field);
        int to = fields.valueEnd(field);
        boolean repeated = fields.indexOf(FieldName.MAX_FORWARDS, field + 1) >= 0;
        if (repeated || from == to || to - from > DIGITS_MAX) {
            return WRONG;
        }
        int hops = 0;
        for (int at = from; at < to; at++) {
            int digit = fields.buffer()[at] - '0';
            if (digit < 0 || digit > 9) {
                return WRONG;
            }
            hops = 10 * hops + digit;
        }
        return hops;
    }

    /// Answers a request that must not be forwarded.
    ///
    /// @return whether it was answered
    static boolean answers(EngineExchange x) {
        int hops = of(x.request());
        if (hops == 0) {
            x.response().send(OPTIONS, Body.Empty.EMPTY);
        } else if (hops == WRONG) {
            x.refuse(
                    Status.BAD_REQUEST,
                    Fields.EMPTY,
                    "Max-Forwards must be one number of at most nine digits.");
        }
        return hops == 0 || hops == WRONG;
    }
}
