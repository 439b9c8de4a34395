package dev.serval.exchange;

import static java.util.Objects.requireNonNull;

import dev.serval.handler.ErrorDocument;
import dev.serval.handler.MountSettings;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HeadCopy;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// Replaces error answers by the documents of a mount. Stateless.
final class ErrorRoute {
    private ErrorRoute() {}

    /// Routes an exchange that a handler refuses to the path that its mount names for that status.
    ///
    /// @param fields of the error answer, such as Allow
    /// @return whether it is answered, now or later; if not, it has no such path, or the path has
    ///     failed
    static boolean serves(ServerExchange x, Status error, Fields fields) {
        if (!(document(x.sink().mount(), error) instanceof ErrorDocument.Internal page)
                || x.sink().isReplaced()
                || !x.startAgain()) {
            return false;
        }
        x.sink().replaceStatus(error, fields);
        x.replaceHead(requireNonNull(HeadCopy.of(x.request()).page(page.path()).make()));
        x.routeAgain();
        return true;
    }

    /// Returns the answer with the page that the mount has for its status.
    static ErrorAnswer page(@Nullable MountSettings mount, ErrorAnswer answer) {
        if (!(document(mount, answer.status()) instanceof ErrorDocument.Page page)) {
            return answer;
        }
        Fields fields =
                new Fields()
                        .addAll(answer.head().fields())
                        .set(FieldName.CONTENT_TYPE, page.type());
        byte[] content = page.content();
        return new ErrorAnswer(new ResponseHead(answer.status(), fields, content.length), content);
    }

    private static @Nullable ErrorDocument document(@Nullable MountSettings mount, Status error) {
        return mount == null ? null : mount.errors().get(error.code());
    }
}
