package dev.serval.examples.osp.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The status codes of TS 101 321, which an answer carries while its HTTP status is 200.
public enum OspStatus {
    SUCCESS(200, "success"),
    BAD_REQUEST(400, "bad request"),
    UNAUTHORIZED(401, "unauthorized"),
    ROUTE_BLOCKED(403, "route blocked"),
    ROUTE_NOT_FOUND(404, "route not found"),
    MAY_NOT_ORIGINATE(405, "calls from this number are not allowed"),
    CHARACTER_ENCODING(410, "character encoding not supported"),
    PARSE_FAILED(411, "parsing unsuccessful"),
    CRITICAL_ELEMENT(412, "critical element not supported"),
    SECURITY_PROBLEM(420, "generic security problem"),
    SIGNATURE_INVALID(421, "signature is invalid"),
    ALGORITHM_UNSUPPORTED(422, "cryptographic algorithm not supported"),
    CERTIFICATE_INVALID(423, "certificate is invalid"),
    CERTIFICATE_REVOKED(424, "certificate is revoked"),
    ENCRYPTION_REQUIRED(425, "encryption required"),
    CALLING_NUMBER_INVALID(428, "calling number is invalid"),
    CALL_RATE(441, "call rate is too high"),
    CALLED_NUMBER_FILTERED(484, "called number is filtered"),
    DESTINATION_INVALID(489, "destination number is invalid"),
    INTERNAL_ERROR(500, "internal server error"),
    NOT_IMPLEMENTED(501, "not implemented"),
    NOT_AVAILABLE(503, "service not available"),
    TRANSIENT_PROBLEM(510, "transient problem in the server"),
    LONG_TERM_PROBLEM(520, "long-term problem in the server"),
    TIME_PROBLEM(530, "time problem"),
    TOO_SOON(531, "valid time is too soon"),
    INTERVAL_TOO_SMALL(532, "time interval is too small"),
    DECLINED(603, "declined"),
    GENERIC(999, "generic failure");

    private final int code;
    private final String text;

    OspStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// Returns the number in `Code`.
    public int code() {
        return code;
    }

    /// Returns the text in `Description`.
    public String text() {
        return text;
    }

    /// Returns whether the code is from 200 to 299.
    public boolean isSuccess() {
        return code / 100 == 2;
    }

    /// Returns the status of a code, or null if TS 101 321 has none.
    public static @Nullable OspStatus of(int code) {
        return Arrays.stream(values()).filter(each -> each.code == code).findFirst().orElse(null);
    }
}
