package dev.serval.listing;

import dev.serval.http.PercentEncoding;
import dev.serval.policy.ErrorPages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// The page that lists a folder: names as links, sizes and dates, folders first. Used by one thread.
public final class FolderList {
    /// The most names on a page. The page says that there are more.
    public static final int NAMES_MAX = 5_000;

    /// The media type of the page.
    public static final String TYPE = "text/html; charset=utf-8";

    private static final String HEAD =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>TITLE</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 48rem;
              padding: 0 1rem }
            ul { list-style: none; padding: 0 }
            li { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .3rem 0 }
            a { flex: 1 1 16rem; overflow-wrap: anywhere }
            small { opacity: .7 }
            </style>
            <h1>TITLE</h1>
            <ul>
            """;

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final long UNIT = 1024;

    private record Row(String name, boolean folder, long size, long modifiedNanos) {}

    private static final Comparator<Row> ORDER =
            Comparator.comparing((Row row) -> !row.folder())
                    .thenComparing(Row::name, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(Row::name);

    private final String title;
    private final boolean top;
    private final List<Row> rows = new ArrayList<>();
    private boolean more;

    /// Creates an empty list.
    ///
    /// @param title the folder's name
    /// @param top whether the folder has no link to the one above it
    public FolderList(String title, boolean top) {
        this.title = title;
        this.top = top;
    }

    /// Returns whether there is room for another name; if not, the page says that there are more.
    public boolean hasRoom() {
        more = rows.size() == NAMES_MAX;
        return !more;
    }

    /// Adds a folder.
    public void addFolder(String name) {
        rows.add(new Row(name, true, 0, 0));
    }

    /// Adds a file.
    ///
    /// @param size bytes
    /// @param modifiedNanos since the epoch
    public void addFile(String name, long size, long modifiedNanos) {
        rows.add(new Row(name, false, size, modifiedNanos));
    }

    /// Returns the page.
    public byte[] page() {
        rows.sort(ORDER);
        StringBuilder page = new StringBuilder(HEAD.replace("TITLE", ErrorPages.escape(title)));
        if (!top) {
            page.append("<li><a href=\"../\">../</a></li>\n");
        }
        for (Row row : rows) {
            String slash = row.folder() ? "/" : "";
            // "./" before the name, because a name such as "javascript:x" would be a URL.
            page.append("<li><a href=\"./")
                    .append(ErrorPages.escape(PercentEncoding.path(row.name())))
                    .append(slash)
                    .append("\">")
                    .append(ErrorPages.escape(row.name()))
                    .append(slash)
                    .append("</a>");
            if (!row.folder()) {
                long second = TimeUnit.NANOSECONDS.toSeconds(row.modifiedNanos());
                page.append(" <small>")
                        .append(size(row.size()))
                        .append("</small> <small>")
                        .append(DATE.format(Instant.ofEpochSecond(second)))
                        .append("</small>");
            }
            page.append("</li>\n");
        }
        page.append("</ul>\n");
        if (more) {
            page.append("<p>There are more files in this folder.</p>\n");
        }
        return page.append("</html>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String size(long bytes) {
        if (bytes < UNIT) {
            return bytes + " B";
        }
        long unitBytes = UNIT;
        int unit = 1;
        while (bytes / unitBytes >= UNIT && unit < UNITS.length - 1) {
            unitBytes *= UNIT;
            unit++;
        }
        long tenths = Math.round(10.0 * bytes / unitBytes);
        return tenths / 10 + "." + tenths % 10 + " " + UNITS[unit];
    }
}
