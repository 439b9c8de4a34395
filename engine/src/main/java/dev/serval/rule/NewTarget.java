package dev.serval.rule;

import dev.serval.exchange.EngineExchange;
import dev.serval.http.Fields;
import dev.serval.http.HeadCopy;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// Gives an exchange another target. Stateless.
final class NewTarget {
    /// The longest target that a rule may make: as long as a request line may be by default.
    static final int MAX_CHARS = 8 << 10;

    private NewTarget() {}

    /// Continues with the next handler of the mount, or with the mount of the new target.
    ///
    /// @param path of the host, decoded
    /// @param query as it is sent, or null
    static void go(EngineExchange x, String path, @Nullable String query) {
        if (path.length() + (query == null ? 0 : query.length()) > MAX_CHARS) {
            x.refuse(Status.URI_TOO_LONG, Fields.EMPTY, "The address is too long.");
            return;
        }
        @Nullable RequestHead head = HeadCopy.of(x.request()).target(path, query).make();
        if (head == null) {
            x.refuse(Status.BAD_REQUEST, Fields.EMPTY, "This address leads to no path.");
            return;
        }
        x.replaceHead(head);
        x.routeAgain();
    }
}
