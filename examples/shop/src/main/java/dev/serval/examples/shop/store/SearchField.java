package dev.serval.examples.shop.store;

import java.util.Locale;

/// What a search looks at.
public enum SearchField {
    /// The words of the title.
    TITLE,
    /// The name of the author.
    AUTHOR,
    /// The subject, as a whole.
    SUBJECT;

    /// Returns the name in addresses and in the database.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the field of a name, or [#TITLE] for all other names.
    public static SearchField of(String word) {
        for (SearchField field : values()) {
            if (field.word().equals(word)) {
                return field;
            }
        }
        return TITLE;
    }
}
