package dev.serval.acme;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The last of some failed attempts to get a certificate. A file has it, for all servers of the folder
/// and for the next start. Immutable.
///
/// @param count attempts that have failed in a row
/// @param at when the last one failed
/// @param retry when the next one may begin
/// @param why a sentence
record Failure(int count, Instant at, Instant retry, String why) {
    private static final int LINES = 4;

    /// Returns the text of the file.
    String text() {
        return count + "\n" + at + "\n" + retry + "\n" + why.replaceAll("\\R", " ") + "\n";
    }

    /// Reads the text of a file.
    ///
    /// @return null if it is not one of this class
    static @Nullable Failure of(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() != LINES) {
            return null;
        }
        try {
            return new Failure(
                    Integer.parseInt(lines.get(0)),
                    Instant.parse(lines.get(1)),
                    Instant.parse(lines.get(2)),
                    lines.get(3));
        } catch (NumberFormatException | DateTimeParseException e) {
            return null;
        }
    }
}
