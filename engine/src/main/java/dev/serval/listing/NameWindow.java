package dev.serval.listing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Keeps the first names after a given one, of as many as a folder has, in memory for one page. Used
/// by one thread.
public final class NameWindow {
    /// The most names on a page.
    public static final int NAMES_MAX = 1_000;

    /// The most names that are read of a folder. Others are not listed.
    public static final int READ_MAX = 250_000;

    /// The order of names: without regard to case, then with it.
    static final Comparator<String> ORDER =
            String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.naturalOrder());

    private final String after;
    private final PriorityQueue<String> names = new PriorityQueue<>(ORDER.reversed());
    private boolean more;
    private int read;

    /// Creates an empty window for the names after `after`.
    public NameWindow(String after) {
        this.after = after;
    }

    /// Takes a name.
    ///
    /// @return whether to go on reading
    public boolean add(String name) {
        boolean wanted = after.isEmpty() || ORDER.compare(name, after) > 0;
        if (wanted && (names.size() < NAMES_MAX || ORDER.compare(name, names.element()) < 0)) {
            names.add(name);
            if (names.size() > NAMES_MAX) {
                names.remove();
                more = true;
            }
        } else if (wanted) {
            more = true;
        }
        return ++read < READ_MAX;
    }

    /// Returns whether there are names after those of the page.
    public boolean hasMore() {
        return more;
    }

    /// Returns whether the page has all names of the folder.
    public boolean isWhole() {
        return !more && after.isEmpty();
    }

    /// Returns the names in order.
    public List<String> names() {
        List<String> sorted = new ArrayList<>(names);
        sorted.sort(ORDER);
        return sorted;
    }
}
