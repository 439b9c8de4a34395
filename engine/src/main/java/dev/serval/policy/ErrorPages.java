package dev.serval.policy;

import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;

/// Makes the content of error answers. An application may replace it. Called on the loop, so it
/// must not block.
@FunctionalInterface
public interface ErrorPages {
    /// Makes pages of a few lines.
    ErrorPages SHORT = ErrorPages::shortPage;

    /// Returns the pages of [#SHORT], which are kept for the next answers with the same status and
    /// text. The engine uses them unless a program sets others.
    static ErrorPages kept() {
        return new KeptPages();
    }

    /// Returns the HTML page of an error answer, in UTF-8.
    ///
    /// @param what what was wrong and what would be right, as plain text that the page must escape;
    ///     may be empty
    byte[] page(Status status, String what);

    /// Returns `text` with the characters that have a meaning in HTML replaced by references.
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static byte[] shortPage(Status status, String what) {
        String title = escape(status.toString());
        String text = what.isEmpty() ? "" : "<p>" + escape(what) + "</p>\n";
        String page =
                """
                <!doctype html>
                <html lang="en">
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width">
                <title>TITLE</title>
                <style>
                :root { color-scheme: light dark }
                body { font: 1rem/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 32rem;
                  padding: 0 1rem }
                </style>
                <h1>TITLE</h1>
                """;
        return (page.replace("TITLE", title) + text + "</html>\n").getBytes(StandardCharsets.UTF_8);
    }
}
