package dev.serval.bench.page;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Words;

/// Serval and the best of the other servers in one measure.
///
/// @param own Serval's figure; NaN if it failed
/// @param best the server that is the worst for Serval
/// @param other its figure
/// @param state compared with the best of all servers
/// @param amongJava compared with the best of the other Java servers
record Standing(
        String scenario,
        Row row,
        Statistics own,
        String best,
        Statistics other,
        State state,
        State amongJava) {
    /// The result of a comparison, the worst first.
    enum State {
        /// Serval has no figure, because it failed.
        FAILED,
        LOSES,
        /// One figure is a lower bound that may be beyond the other.
        UNDECIDED,
        /// The ranges of both overlap.
        EQUAL,
        LEADS,
        /// There is no other server.
        ALONE;

        String word() {
            return this == ALONE ? "–" : Words.of(this);
        }

        /// Returns whether the figures tell which server is better, or that they are equal.
        boolean isDecided() {
            return this != UNDECIDED && this != ALONE;
        }

        boolean isFirst() {
            return switch (this) {
                case EQUAL, LEADS -> true;
                case FAILED, LOSES, UNDECIDED, ALONE -> false;
            };
        }
    }

    /// Returns the name of the measure.
    String label() {
        return scenario + " " + row.cell() + ": " + row.measure();
    }

    /// Returns Serval ÷ the best, or the reciprocal if more is better. Above 1, Serval is worse.
    double ratio() {
        return quotient(row, own, other);
    }

    /// Returns the ratio as text: the sign of infinity if the best other figure is zero.
    String ratioText() {
        return Double.isInfinite(ratio()) ? "∞" : Digits.hundredths(ratio());
    }

    static double quotient(Row row, Statistics subject, Statistics other) {
        if (subject.median() == other.median()) {
            return 1; // both may be zero
        }
        return switch (row.better()) {
            case LOWER -> subject.median() / other.median();
            case HIGHER -> other.median() / subject.median();
        };
    }

    static State judged(Row row, Statistics subject, Statistics other) {
        if (Double.isNaN(subject.median())) {
            return State.FAILED;
        }
        if (subject.min() <= other.max() && other.min() <= subject.max()) {
            return subject.isBound() || other.isBound() ? State.UNDECIDED : State.EQUAL;
        }
        return quotient(row, subject, other) < 1 ? State.LEADS : State.LOSES;
    }
}
