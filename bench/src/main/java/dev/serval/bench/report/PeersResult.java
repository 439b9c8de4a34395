package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a cell with one figure for each peer, of which the subject's is limited.
///
/// @param notes how it was measured, and additional figures
/// @param published figures of a paper
public record PeersResult(
        String cell,
        String title,
        String unit,
        Limit limit,
        String subject,
        List<PeerValues> peers,
        List<String> notes,
        @JsonProperty("published") List<Published> published)
        implements CellResult {
    /// The figure to which gate and aim apply.
    public enum Kind {
        /// The subject's value, which must not be above the gate.
        VALUE,
        /// The subject's value ÷ the smallest of the references, which must not be above the gate.
        RATIO_TO_SMALLEST,
        /// The subject's value ÷ the greatest of the references, which must not be below the gate.
        RATIO_TO_GREATEST
    }

    /// The limits of the figure.
    ///
    /// @param gate the limit; beyond it the cell fails. NaN for none
    /// @param aim the value that we want to reach, or NaN for none
    public record Limit(Kind kind, double gate, double aim) {
        /// Makes a limit whose values are 0 for none, as in scenarios.
        public static Limit orNone(Kind kind, double gate, double aim) {
            return new Limit(kind, gate == 0 ? Double.NaN : gate, aim == 0 ? Double.NaN : aim);
        }

        /// Returns a limit of the value itself; 0 for none.
        public static Limit of(double gate) {
            return orNone(Kind.VALUE, gate, 0);
        }

        /// Returns a limit of the ratio to the smallest other; 0 for none.
        public static Limit toSmallest(double gate) {
            return orNone(Kind.RATIO_TO_SMALLEST, gate, 0);
        }

        /// Returns a limit of the ratio to the greatest other; 0 for none.
        public static Limit toGreatest(double gate) {
            return orNone(Kind.RATIO_TO_GREATEST, gate, 0);
        }

        private Verdict verdict(double figure, double limit, Verdict beyond) {
            if (Double.isNaN(limit) || Double.isNaN(figure)) {
                return Verdict.NONE;
            }
            boolean kept =
                    switch (kind) {
                        case VALUE, RATIO_TO_SMALLEST -> figure <= limit;
                        case RATIO_TO_GREATEST -> figure >= limit;
                    };
            return kept ? Verdict.PASS : beyond;
        }
    }

    /// The measured values of a peer; the median counts.
    ///
    /// @param failure why there are no values, or null if there are
    public record PeerValues(String peer, List<Double> values, @Nullable String failure)
            implements OfPeer {
        /// Returns the median and the extremes.
        public Statistics statistics() {
            return Statistics.of(values);
        }
    }

    /// Returns the reference: the best of the other peers, or null if there is none.
    @JsonProperty("reference")
    public @Nullable String reference() {
        return best().map(PeerValues::peer).orElse(null);
    }

    /// Returns the figure that is compared with the limit, or NaN. A ratio has two decimals.
    @JsonProperty("figure")
    public double figure() {
        double value = own().map(own -> own.statistics().median()).orElse(Double.NaN);
        return switch (limit.kind()) {
            case VALUE -> value;
            case RATIO_TO_SMALLEST, RATIO_TO_GREATEST -> {
                double other = best().map(p -> p.statistics().median()).orElse(Double.NaN);
                // Math.round makes 0 of NaN.
                double ratio = value / other;
                yield Double.isFinite(ratio) ? Math.round(ratio * 100) / 100.0 : ratio;
            }
        };
    }

    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        if (own().isPresent() && own().get().failure() != null) {
            return Verdict.FAIL;
        }
        return limit.verdict(figure(), limit.gate(), Verdict.FAIL);
    }

    /// Returns whether the aim is reached.
    @JsonProperty("aimVerdict")
    public Verdict aimVerdict() {
        return limit.verdict(figure(), limit.aim(), Verdict.MISS);
    }

    @Override
    public List<? extends OfPeer> parts() {
        return peers;
    }

    @Override
    public List<String> remarks() {
        return notes.stream().map(note -> cell + ": " + note).toList();
    }

    @Override
    public List<Row> rows() {
        Map<String, Statistics> values = OfPeer.values(peers, PeerValues::statistics);
        Row.Better better =
                limit.kind() == Kind.RATIO_TO_GREATEST ? Row.Better.HIGHER : Row.Better.LOWER;
        return List.of(new Row(cell, title, unit, better, values));
    }

    private Optional<PeerValues> own() {
        return peers.stream().filter(p -> p.peer().equals(subject)).findFirst();
    }

    private Optional<PeerValues> best() {
        int sign = limit.kind() == Kind.RATIO_TO_GREATEST ? -1 : 1;
        return peers.stream()
                .filter(p -> !p.peer().equals(subject) && p.failure() == null)
                .min((a, b) ->
                        sign * Double.compare(a.statistics().median(), b.statistics().median()));
    }
}
