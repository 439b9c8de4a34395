package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import java.util.List;
import java.util.Locale;

/// Selects the fields of a failed response that its page for the error keeps, if the container makes
/// that page. Those that describe the content which was not sent would make clients store the page,
/// or save it under the name of a download. Stateless.
final class ErrorFields {
    private static final List<String> OF_CONTENT =
            List.of(
                    "Content-Type",
                    "Content-Encoding",
                    "Content-Language",
                    "Content-Location",
                    "Content-Disposition",
                    "Content-Digest",
                    "Repr-Digest",
                    "Digest",
                    "Content-MD5",
                    "Accept-Ranges",
                    "ETag",
                    "Last-Modified",
                    "Expires");

    private ErrorFields() {}

    /// Returns the fields that stay.
    ///
    /// @param status of the page; 416 says by Content-Range how long the content is (RFC 9110 §14.4)
    static Fields of(Fields all, int status) {
        Fields kept = new Fields().addAll(all);
        OF_CONTENT.forEach(kept::remove);
        if (status != Status.RANGE_NOT_SATISFIABLE.code()) {
            kept.remove("Content-Range");
        }
        if (kept.all("Cache-Control").stream().noneMatch(ErrorFields::forbidsUse)) {
            kept.remove(FieldName.CACHE_CONTROL);
        }
        return kept;
    }

    /// Returns whether a Cache-Control lets no client use a stored response without asking.
    private static boolean forbidsUse(String control) {
        String lower = control.toLowerCase(Locale.ROOT);
        return lower.contains("no-store") || lower.contains("no-cache");
    }
}
