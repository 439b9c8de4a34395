package dev.serval.examples.shop.store;

import java.util.List;

/// The subjects of the books.
public final class Subjects {
    /// All of them, in the order of the alphabet.
    public static final List<String> ALL =
            List.of(
                    "Animals",
                    "Art",
                    "Astronomy",
                    "Biography",
                    "Building",
                    "Children",
                    "Cooking",
                    "Crime",
                    "Economics",
                    "Fantasy",
                    "Gardening",
                    "History",
                    "Humour",
                    "Languages",
                    "Mathematics",
                    "Music",
                    "Nature",
                    "Novels",
                    "Philosophy",
                    "Poetry",
                    "Programming",
                    "Seafaring",
                    "Travel",
                    "Weather");

    private Subjects() {}

    /// Returns the subject if there is such a one, and otherwise the first.
    public static String known(String subject) {
        return ALL.contains(subject) ? subject : ALL.getFirst();
    }
}
