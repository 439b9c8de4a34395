package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.MountSettings;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// Error answers of an application, in place of which its mount answers with a page of its own.
/// Stateless.
public final class Interception {
    private static final FieldName[] KEPT = {
        FieldName.WWW_AUTHENTICATE,
        FieldName.ALLOW,
        FieldName.RETRY_AFTER,
        FieldName.UPGRADE,
        FieldName.CONNECTION
    };

    private Interception() {}

    /// Returns whether the mount of an exchange replaces an answer with this status.
    public static boolean concerns(EngineExchange x, Status status) {
        if (!status.error()) {
            return false;
        }
        @Nullable MountSettings settings = x.route().settings();
        return settings != null && settings.intercepts(status.code());
    }

    /// Answers an exchange with the page of its mount. Of the fields only those stay without which the
    /// client cannot act on the status (RFC 9110 §10.2, §11.6.1, §15.5.22).
    ///
    /// @param fields of the answer that is replaced
    public static void answer(EngineExchange x, Status status, Fields fields) {
        Fields kept = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            for (FieldName name : KEPT) {
                if (fields.known(i) == name) {
                    kept.add(fields, i);
                }
            }
        }
        x.refuse(status, kept, "");
    }
}
