package dev.serval.http;

import dev.serval.codec.ByteRules;
import org.jspecify.annotations.Nullable;

/// A status code with its reason phrase (RFC 9110 §15, RFC 8297, RFC 6585, RFC 7725). Immutable.
/// Registered codes are shared: get one from [#of(int)].
///
/// @param code 100 to 599
/// @param reason the phrase of HTTP/1.1's status line; empty if the code is not registered
public record Status(int code, String reason) {
    private static final Status[] REGISTERED = new Status[600];

    /// 100: the client should send the content.
    public static final Status CONTINUE = register(100, "Continue");

    /// 101: the connection switches to another protocol.
    public static final Status SWITCHING_PROTOCOLS = register(101, "Switching Protocols");

    /// 103: fields that the final response will probably have.
    public static final Status EARLY_HINTS = register(103, "Early Hints");

    /// 200.
    public static final Status OK = register(200, "OK");

    /// 201.
    public static final Status CREATED = register(201, "Created");

    /// 202.
    public static final Status ACCEPTED = register(202, "Accepted");

    /// 204: no content, and no Content-Length (§8.6).
    public static final Status NO_CONTENT = register(204, "No Content");

    /// 205: no content, but a Content-Length of 0 (§15.3.6).
    public static final Status RESET_CONTENT = register(205, "Reset Content");

    /// 206.
    public static final Status PARTIAL_CONTENT = register(206, "Partial Content");

    /// 301.
    public static final Status MOVED_PERMANENTLY = register(301, "Moved Permanently");

    /// 302.
    public static final Status FOUND = register(302, "Found");

    /// 303.
    public static final Status SEE_OTHER = register(303, "See Other");

    /// 304: no content.
    public static final Status NOT_MODIFIED = register(304, "Not Modified");

    /// 307.
    public static final Status TEMPORARY_REDIRECT = register(307, "Temporary Redirect");

    /// 308: moved permanently; the client keeps the method.
    public static final Status PERMANENT_REDIRECT = register(308, "Permanent Redirect");

    /// 400.
    public static final Status BAD_REQUEST = register(400, "Bad Request");

    /// 401.
    public static final Status UNAUTHORIZED = register(401, "Unauthorized");

    /// 403.
    public static final Status FORBIDDEN = register(403, "Forbidden");

    /// 404.
    public static final Status NOT_FOUND = register(404, "Not Found");

    /// 405: has Allow.
    public static final Status METHOD_NOT_ALLOWED = register(405, "Method Not Allowed");

    /// 408: the request did not arrive in time.
    public static final Status REQUEST_TIMEOUT = register(408, "Request Timeout");

    /// 409.
    public static final Status CONFLICT = register(409, "Conflict");

    /// 411.
    public static final Status LENGTH_REQUIRED = register(411, "Length Required");

    /// 412.
    public static final Status PRECONDITION_FAILED = register(412, "Precondition Failed");

    /// 413.
    public static final Status CONTENT_TOO_LARGE = register(413, "Content Too Large");

    /// 414.
    public static final Status URI_TOO_LONG = register(414, "URI Too Long");

    /// 415.
    public static final Status UNSUPPORTED_MEDIA_TYPE = register(415, "Unsupported Media Type");

    /// 416: has Content-Range.
    public static final Status RANGE_NOT_SATISFIABLE = register(416, "Range Not Satisfiable");

    /// 417: the request has an Expect other than 100-continue.
    public static final Status EXPECTATION_FAILED = register(417, "Expectation Failed");

    /// 421: this server does not serve that authority.
    public static final Status MISDIRECTED_REQUEST = register(421, "Misdirected Request");

    /// 422.
    public static final Status UNPROCESSABLE_CONTENT = register(422, "Unprocessable Content");

    /// 426: has Upgrade.
    public static final Status UPGRADE_REQUIRED = register(426, "Upgrade Required");

    /// 428.
    public static final Status PRECONDITION_REQUIRED = register(428, "Precondition Required");

    /// 429.
    public static final Status TOO_MANY_REQUESTS = register(429, "Too Many Requests");

    /// 431.
    public static final Status REQUEST_HEADER_FIELDS_TOO_LARGE =
            register(431, "Request Header Fields Too Large");

    /// 451.
    public static final Status UNAVAILABLE_FOR_LEGAL_REASONS =
            register(451, "Unavailable For Legal Reasons");

    /// 500.
    public static final Status INTERNAL_SERVER_ERROR = register(500, "Internal Server Error");

    /// 501: a method or transfer coding that the server does not implement.
    public static final Status NOT_IMPLEMENTED = register(501, "Not Implemented");

    /// 502.
    public static final Status BAD_GATEWAY = register(502, "Bad Gateway");

    /// 503.
    public static final Status SERVICE_UNAVAILABLE = register(503, "Service Unavailable");

    /// 504.
    public static final Status GATEWAY_TIMEOUT = register(504, "Gateway Timeout");

    /// 505.
    public static final Status HTTP_VERSION_NOT_SUPPORTED =
            register(505, "HTTP Version Not Supported");

    /// 507.
    public static final Status INSUFFICIENT_STORAGE = register(507, "Insufficient Storage");

    static {
        register(102, "Processing");
        register(203, "Non-Authoritative Information");
        register(207, "Multi-Status");
        register(208, "Already Reported");
        register(226, "IM Used");
        register(300, "Multiple Choices");
        register(305, "Use Proxy");
        register(402, "Payment Required");
        register(406, "Not Acceptable");
        register(407, "Proxy Authentication Required");
        register(410, "Gone");
        register(423, "Locked");
        register(424, "Failed Dependency");
        register(425, "Too Early");
        register(506, "Variant Also Negotiates");
        register(508, "Loop Detected");
        register(511, "Network Authentication Required");
    }

    /// Checks the code and the reason phrase.
    public Status {
        if (code < 100 || code > 599) {
            throw new IllegalArgumentException(
                    "A status code must be from 100 to 599 (RFC 9110 §15), not " + code);
        }
        for (int i = 0; i < reason.length(); i++) {
            if (reason.charAt(i) > 0xff || !ByteRules.field(reason.charAt(i))) {
                throw new IllegalArgumentException(
                        "A reason phrase must not have control characters (RFC 9112 §4)");
            }
        }
    }

    /// Returns the shared value of a registered code, otherwise a new one with an empty reason.
    public static Status of(int code) {
        @Nullable Status known = code >= 100 && code < REGISTERED.length ? REGISTERED[code] : null;
        return known != null ? known : new Status(code, "");
    }

    /// Returns whether the code is 1xx: another response follows (§15.2).
    public boolean interim() {
        return code < 200;
    }

    /// Returns whether the code is 4xx or 5xx.
    public boolean error() {
        return code >= 400;
    }

    /// Returns whether such a response never has content, whatever its fields say: 1xx, 204 and 304
    /// (RFC 9112 §6.3).
    public boolean withoutContent() {
        return code < 200 || code == 204 || code == 304;
    }

    @Override
    public String toString() {
        return code + (reason.isEmpty() ? "" : " " + reason);
    }

    private static Status register(int code, String reason) {
        Status status = new Status(code, reason);
        REGISTERED[code] = status;
        return status;
    }
}
