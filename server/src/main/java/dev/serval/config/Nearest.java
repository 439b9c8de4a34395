package dev.serval.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds the word that somebody probably meant. Stateless.
public final class Nearest {
    private Nearest() {}

    /// Returns the candidate that differs least from a word, ignoring case, `-` and `_`; null if all
    /// differ by more than a third of their characters.
    public static @Nullable String to(String word, Collection<String> candidates) {
        String asked = plain(word);
        @Nullable String best = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            String plain = plain(candidate);
            int distance = distance(asked, plain);
            if (distance < least && distance <= Math.max(asked.length(), plain.length()) / 3) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    private static String plain(String word) {
        String all = word.length() > 64 ? word.substring(0, 64) : word;
        return all.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /// Returns how many characters have to be added, removed, replaced or swapped with their
    /// neighbour (the distance of Damerau and Levenshtein without overlaps).
    private static int distance(String a, String b) {
        int[][] table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            table[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            table[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int replaced = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(table[i - 1][j], table[i][j - 1]) + 1;
                least = Math.min(least, table[i - 1][j - 1] + replaced);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                table[i][j] = swapped ? Math.min(least, table[i - 2][j - 2] + 1) : least;
            }
        }
        return table[a.length()][b.length()];
    }
}
