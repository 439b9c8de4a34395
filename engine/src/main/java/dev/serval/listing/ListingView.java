package dev.serval.listing;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What part of a folder is shown, and in which order: `?sort=size`, `?sort=-size` for the reverse,
/// `?after=NAME` for the names after that. A cache keeps it behind the path of the folder, separated
/// by a NUL, which no path has. Immutable.
///
/// @param sort by what
/// @param reverse whether the order is reversed
/// @param after the page has the names after this one; empty for the first page
public record ListingView(Sort sort, boolean reverse, String after) {
    /// What a list is sorted by.
    public enum Sort {
        /// The name, without regard to case.
        NAME,
        /// The size.
        SIZE,
        /// The date of the last change.
        DATE;

        /// Returns the word in a query.
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The first page by name.
    public static final ListingView FIRST = new ListingView(Sort.NAME, false, "");

    private static final int AFTER_MAX = 1024;
    private static final String SORT_KEY = "sort=";
    private static final String AFTER_KEY = "after=";

    /// Reads a query. What it does not know is ignored.
    public static ListingView ofQuery(@Nullable String query) {
        ListingView view = FIRST;
        for (String part : query == null ? new String[0] : query.split("&", 8)) {
            if (part.startsWith(SORT_KEY)) {
                view = view.sorted(part.substring(SORT_KEY.length()));
            } else if (part.startsWith(AFTER_KEY)) {
                view = view.after(part.substring(AFTER_KEY.length()));
            }
        }
        return view;
    }

    private ListingView sorted(String word) {
        boolean down = word.startsWith("-");
        String plain = down ? word.substring(1) : word;
        for (Sort each : Sort.values()) {
            if (plain.equals(each.word())) {
                return new ListingView(each, down, after);
            }
        }
        return this;
    }

    private ListingView after(String encoded) {
        try {
            String name = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
            return name.length() > AFTER_MAX ? this : new ListingView(sort, reverse, name);
        } catch (IllegalArgumentException e) {
            return this; // a broken percent-encoding
        }
    }

    /// Returns whether it is a later page, of which there are as many as a client thinks of.
    public boolean isLaterPage() {
        return !after.isEmpty();
    }

    /// Returns the key of this view of the folder at `path`; the path itself for the first page by
    /// name.
    public byte[] key(byte[] path) {
        if (equals(FIRST)) {
            return path;
        }
        byte[] rest =
                ("\0" + sort.word() + (reverse ? '-' : '+') + after)
                        .getBytes(StandardCharsets.UTF_8);
        byte[] key = Arrays.copyOf(path, path.length + rest.length);
        System.arraycopy(rest, 0, key, path.length, rest.length);
        return key;
    }

    /// Returns the length of the path in a key.
    public static int pathLength(byte[] key) {
        int length = 0;
        while (length < key.length && key[length] != 0) {
            length++;
        }
        return length;
    }

    /// Returns the path in a key: the key itself if it has no view.
    public static byte[] folder(byte[] key) {
        int length = pathLength(key);
        return length == key.length ? key : Arrays.copyOf(key, length);
    }

    /// Returns the view in a key.
    public static ListingView ofKey(byte[] key) {
        int from = pathLength(key) + 1;
        if (from >= key.length) {
            return FIRST;
        }
        String rest = new String(key, from, key.length - from, StandardCharsets.UTF_8);
        for (Sort each : Sort.values()) {
            if (rest.startsWith(each.word())) {
                int mark = each.word().length();
                return new ListingView(each, rest.charAt(mark) == '-', rest.substring(mark + 1));
            }
        }
        return FIRST;
    }
}
