package dev.serval.config;

import java.util.ArrayList;
import java.util.List;

/// Collects all mistakes of a configuration, so that all are reported at once. Used by one thread.
public final class Mistakes {
    private static final int MOST = 100;

    /// One mistake.
    ///
    /// @param where the place, such as `serval.toml:12:5`
    /// @param what one sentence: what is wrong, and what would be right
    public record Mistake(String where, String what) {
        @Override
        public String toString() {
            return where.isEmpty() ? what : where + ": " + what;
        }
    }

    private final List<Mistake> all = new ArrayList<>();
    private int left;

    /// Adds a mistake. Those past the hundredth are only counted.
    public void add(String where, String what) {
        if (all.size() < MOST) {
            all.add(new Mistake(where, what));
        } else {
            left++;
        }
    }

    /// Returns whether a mistake was found at a place.
    boolean isAt(String where) {
        return all.stream().anyMatch(mistake -> mistake.where().equals(where));
    }

    /// Returns whether there is none.
    public boolean none() {
        return all.isEmpty();
    }

    /// Returns the mistakes, in the order in which they were found.
    public List<Mistake> all() {
        return List.copyOf(all);
    }

    /// Returns a line for each mistake, and one that counts those that are left out.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        all.forEach(mistake -> lines.add(mistake.toString()));
        if (left > 0) {
            lines.add("There are " + left + " more mistakes.");
        }
        return lines;
    }
}
