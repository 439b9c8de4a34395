package dev.serval.http;

import org.jspecify.annotations.Nullable;

/// The fields that no trailer may have (RFC 9110 §6.5.1). Stateless.
public final class TrailerRules {
    private static final boolean[] FORBIDDEN = forbidden();

    private TrailerRules() {}

    /// Returns whether the field is forbidden in trailers. Such a field frames or routes the message,
    /// changes its processing, authenticates, or describes the content.
    public static boolean forbidden(@Nullable FieldName name) {
        return name != null && FORBIDDEN[name.id()];
    }

    private static boolean[] forbidden() {
        boolean[] forbidden = new boolean[FieldName.count()];
        FieldName[] names = {
            FieldName.CONTENT_LENGTH,
            FieldName.TRANSFER_ENCODING,
            FieldName.TRAILER,
            FieldName.TE,
            FieldName.HOST,
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.UPGRADE,
            FieldName.HTTP2_SETTINGS,
            FieldName.MAX_FORWARDS,
            FieldName.EXPECT,
            FieldName.RANGE,
            FieldName.CACHE_CONTROL,
            FieldName.PRAGMA,
            FieldName.IF_MATCH,
            FieldName.IF_NONE_MATCH,
            FieldName.IF_MODIFIED_SINCE,
            FieldName.IF_UNMODIFIED_SINCE,
            FieldName.IF_RANGE,
            FieldName.AUTHORIZATION,
            FieldName.PROXY_AUTHORIZATION,
            FieldName.PROXY_AUTHENTICATE,
            FieldName.WWW_AUTHENTICATE,
            FieldName.COOKIE,
            FieldName.SET_COOKIE,
            FieldName.FORWARDED,
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PROTO,
            FieldName.ORIGIN,
            FieldName.AGE,
            FieldName.DATE,
            FieldName.EXPIRES,
            FieldName.LOCATION,
            FieldName.RETRY_AFTER,
            FieldName.VARY,
            FieldName.CONTENT_ENCODING,
            FieldName.CONTENT_TYPE,
            FieldName.CONTENT_RANGE,
            FieldName.CONTENT_LANGUAGE,
            FieldName.CONTENT_LOCATION,
            FieldName.CONTENT_DISPOSITION,
            FieldName.CONTENT_SECURITY_POLICY,
            FieldName.STRICT_TRANSPORT_SECURITY,
        };
        for (FieldName name : names) {
            forbidden[name.id()] = true;
        }
        return forbidden;
    }
}
