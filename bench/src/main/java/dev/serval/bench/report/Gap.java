package dev.serval.bench.report;

/// What a report does not have: a peer or a cell that failed or could not be measured here.
///
/// @param cell the cell, or empty for all cells of the scenario
/// @param peer the peer, or empty for all peers
/// @param why what happened or is missing, and what to do
public record Gap(String cell, String peer, Kind kind, String why) {
    /// Whose fault it is.
    public enum Kind {
        /// It ran and did not work.
        FAILED,
        /// The machine lacks what it needs.
        NOT_MEASURED;

        /// Returns the word for tables.
        public String word() {
            return Words.of(this);
        }
    }

    /// Returns a failure of a peer in a cell, or of the whole cell if the peer is empty.
    public static Gap failed(String cell, String peer, String why) {
        return new Gap(cell, peer, Kind.FAILED, why);
    }

    /// Returns what happened, as text.
    public String text() {
        return kind.word() + ": " + why;
    }
}
