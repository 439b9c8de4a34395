package dev.serval.handler;

import dev.serval.coding.Compression;
import dev.serval.http.FieldChanges;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What holds for every exchange of a mount, whichever of its handlers answers. It applies when the
/// exchange enters the mount. Immutable, except for the count; [#with] returns a changed copy.
///
/// @param contentMaxBytes bytes of request content in place of the listener's limit, past it 413; at
///     most `Limits.Contents.mountMaxBytes`. 0 for that of the listener
/// @param exchangeNanos how long an exchange may take, in place of the server's limit; 0 for that
/// @param minBytesPerSecond the minimum rate of content and responses, in place of the server's; 0
///     for that
/// @param requests counts the requests in progress, past its limit 503; null for no limit. Two
///     mounts with the same object share the limit
/// @param rate limits how fast each client may send requests, past it 429; null for no limit. Two
///     mounts with the same object share it
/// @param fields changes of the fields of every response, also of those that applications and
///     other servers make
/// @param log receives the record of each exchange in place of the server's access log; null for that
/// @param compression how responses of applications and other servers are compressed; null if they
///     are not. Files have the [Compression] of their handler
/// @param errors what is answered in place of the server's page, by the status of the error
/// @param interceptsErrors whether that is also answered in place of an error that another server has
///     answered
public record MountSettings(
        long contentMaxBytes,
        long exchangeNanos,
        long minBytesPerSecond,
        @Nullable RequestCount requests,
        @Nullable RequestRate rate,
        FieldChanges fields,
        AccessRecord.@Nullable Listener log,
        @Nullable Compression compression,
        Map<Integer, ErrorDocument> errors,
        boolean interceptsErrors) {
    private static final int ERRORS_FROM = 400;
    private static final int ERRORS_TO = 599;

    /// The settings of a mount that has none of its own.
    public static final MountSettings NONE = new Draft().build();

    /// Checks the numbers.
    public MountSettings {
        check("contentMaxBytes", contentMaxBytes);
        check("exchangeNanos", exchangeNanos);
        check("minBytesPerSecond", minBytesPerSecond);
        errors = Map.copyOf(errors);
        for (int status : errors.keySet()) {
            if (status < ERRORS_FROM || status > ERRORS_TO) {
                throw new IllegalArgumentException(
                        "An error page of a mount is for a status from 400 to 599, not " + status);
            }
        }
    }

    /// Returns whether an answer of another server is replaced.
    public boolean intercepts(int status) {
        return interceptsErrors && status >= ERRORS_FROM && errors.containsKey(status);
    }

    /// Returns a copy in which `change` has set some values.
    public MountSettings with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.contentMaxBytes = contentMaxBytes;
        draft.exchangeNanos = exchangeNanos;
        draft.minBytesPerSecond = minBytesPerSecond;
        draft.requests = requests;
        draft.rate = rate;
        draft.fields = fields;
        draft.log = log;
        draft.compression = compression;
        draft.errors = errors;
        draft.interceptsErrors = interceptsErrors;
        change.accept(draft);
        return draft.build();
    }

    /// These settings while they are chosen. Each is a field, so that wherever a value is set, its
    /// name stands beside it. Used by one thread, within [#with].
    public static final class Draft {
        public long contentMaxBytes = 0;
        public long exchangeNanos = 0;
        public long minBytesPerSecond = 0;
        public @Nullable RequestCount requests = null;
        public @Nullable RequestRate rate = null;
        public FieldChanges fields = FieldChanges.NONE;
        public AccessRecord.@Nullable Listener log = null;
        public @Nullable Compression compression = null;
        public Map<Integer, ErrorDocument> errors = Map.of();
        public boolean interceptsErrors = false;

        private Draft() {}

        private MountSettings build() {
            return new MountSettings(
                    contentMaxBytes,
                    exchangeNanos,
                    minBytesPerSecond,
                    requests,
                    rate,
                    fields,
                    log,
                    compression,
                    errors,
                    interceptsErrors);
        }
    }

    private static void check(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    name + " of a mount must be 0 or more, but is " + value);
        }
    }
}
