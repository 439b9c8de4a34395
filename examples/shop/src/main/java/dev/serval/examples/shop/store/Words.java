package dev.serval.examples.shop.store;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The words of a text, as they are searched: in lower case, without accents.
public final class Words {
    private static final int LENGTH_MAX = 40;

    private Words() {}

    /// Returns the different words of a text in their order.
    ///
    /// @param max at most so many
    public static List<String> of(String text, int max) {
        String plain =
                Normalizer.normalize(text, Normalizer.Form.NFKD)
                        .replaceAll("\\p{M}|['\u2019]", "")
                        .toLowerCase(Locale.ROOT);
        Set<String> words = new LinkedHashSet<>();
        for (String word : plain.split("[^\\p{L}\\p{N}]+", -1)) {
            if (!word.isEmpty() && words.size() < max) {
                words.add(word.substring(0, Math.min(word.length(), LENGTH_MAX)));
            }
        }
        return new ArrayList<>(words);
    }
}
