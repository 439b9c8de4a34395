package dev.serval.listing;

import dev.serval.http.PercentEncoding;
import dev.serval.listing.ListingView.Sort;
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

/// The page that lists a folder: names as links, sizes and dates. A folder that fits on one page has
/// its folders first, and links that sort it. A longer one has pages by name. Used by one thread.
public final class FolderList {
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
            li, nav { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .3rem 0 }
            li a { flex: 1 1 16rem; overflow-wrap: anywhere }
            h1 { overflow-wrap: anywhere }
            small { opacity: .7 }
            </style>
            <h1>TITLE</h1>
            """;

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final long UNIT = 1024;

    private record Row(String name, boolean folder, long size, long modifiedNanos) {}

    private final String title;
    private final boolean top;
    private final ListingView view;
    private final NameWindow names;
    private final List<Row> rows = new ArrayList<>();

    /// Creates an empty list.
    ///
    /// @param title the folder's name
    /// @param top whether the folder has no link to the one above it
    /// @param view the order
    /// @param names those of the page
    public FolderList(String title, boolean top, ListingView view, NameWindow names) {
        this.title = title;
        this.top = top;
        this.view = view;
        this.names = names;
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
        boolean whole = names.isWhole();
        rows.sort(whole ? order() : byName());
        StringBuilder page = new StringBuilder(HEAD.replace("TITLE", ErrorPages.escape(title)));
        if (whole && rows.size() > 1) {
            appendSorts(page);
        }
        page.append("<ul>\n");
        if (!top) {
            page.append("<li><a href=\"../\">../</a></li>\n");
        }
        rows.forEach(row -> append(page, row));
        page.append("</ul>\n");
        appendPages(page);
        return page.append("</html>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Comparator<Row> byName() {
        return Comparator.comparing(Row::name, NameWindow.ORDER);
    }

    private Comparator<Row> order() {
        Comparator<Row> own =
                switch (view.sort()) {
                    case NAME -> byName();
                    case SIZE -> Comparator.comparingLong(Row::size);
                    case DATE -> Comparator.comparingLong(Row::modifiedNanos);
                };
        return Comparator.comparing((Row row) -> !row.folder())
                .thenComparing(view.reverse() ? own.reversed() : own)
                .thenComparing(byName());
    }

    /// Appends a link for each order; that of the present one reverses it.
    private void appendSorts(StringBuilder page) {
        page.append("<nav>Sort by:");
        for (Sort each : Sort.values()) {
            boolean present = each == view.sort();
            boolean reverse = present && !view.reverse();
            page.append(" <a href=\"?sort=")
                    .append(reverse ? "-" : "")
                    .append(each.word())
                    .append("\">")
                    .append(each.word())
                    .append(present ? view.reverse() ? " ↓" : " ↑" : "")
                    .append("</a>");
        }
        page.append("</nav>\n");
    }

    private static void append(StringBuilder page, Row row) {
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

    private void appendPages(StringBuilder page) {
        if (names.isWhole()) {
            return;
        }
        page.append("<nav>");
        if (view.isLaterPage()) {
            page.append("<a href=\"./\">First page</a> ");
        }
        if (names.hasMore()) {
            page.append("<a href=\"?after=")
                    .append(ErrorPages.escape(PercentEncoding.value(names.names().getLast())))
                    .append("\">Next page</a>");
        }
        page.append("</nav>\n");
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
