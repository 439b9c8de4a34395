package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The table of cells with one figure for each peer, and its notes.
final class PeersText {
    static final String TITLE = "Other figures of each peer: median (min–max); the best other (*)";

    private final List<PeersResult> results;

    PeersText(List<PeersResult> results) {
        this.results = results;
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    Table table() {
        List<String> peers =
                results.stream()
                        .flatMap(r -> r.peers().stream().map(PeersResult.PeerValues::peer))
                        .distinct()
                        .toList();
        List<String> header = new ArrayList<>(List.of("cell"));
        header.addAll(peers);
        header.addAll(List.of("unit", "figure", "gate", "aim"));
        List<List<String>> rows = new ArrayList<>();
        for (PeersResult result : results) {
            List<String> row = new ArrayList<>(List.of(result.cell()));
            for (String peer : peers) {
                row.add(value(result, peer));
            }
            row.add(result.unit());
            row.add(figure(result));
            row.add(limit(result, result.limit().gate(), result.verdict()));
            row.add(limit(result, result.limit().aim(), result.aimVerdict()));
            rows.add(row);
        }
        return new Table(header, rows);
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (PeersResult result : results) {
            for (PeersResult.PeerValues peer : result.peers()) {
                if (peer.failure() != null) {
                    notes.add(result.cell() + ", " + peer.peer() + ": failed, " + peer.failure());
                }
            }
            result.notes().forEach(note -> notes.add(result.cell() + ": " + note));
        }
        return notes;
    }

    private static String value(PeersResult result, String peer) {
        for (PeersResult.PeerValues one : result.peers()) {
            if (one.peer().equals(peer)) {
                return one.failure() == null
                        ? mark(result, peer) + range(one.statistics())
                        : "failed";
            }
        }
        return "–";
    }

    private static String mark(PeersResult result, String peer) {
        @Nullable String reference = result.reference();
        return peer.equals(reference) ? "*" : "";
    }

    private static String range(Statistics s) {
        return brief(s.median()) + " (" + brief(s.min()) + "–" + brief(s.max()) + ")";
    }

    private static String figure(PeersResult result) {
        double figure = result.figure();
        if (Double.isNaN(figure)) {
            return "–";
        }
        return switch (result.limit().kind()) {
            case VALUE -> brief(figure);
            case RATIO_TO_SMALLEST, RATIO_TO_GREATEST -> "÷ * " + hundredths(figure);
        };
    }

    private static String limit(PeersResult result, double limit, Verdict verdict) {
        if (Double.isNaN(limit)) {
            return verdict == Verdict.FAIL ? verdict.word() : "–";
        }
        boolean least = result.limit().kind() == PeersResult.Kind.RATIO_TO_GREATEST;
        String number = limit >= 100 ? brief(limit) : hundredths(limit);
        return (least ? "≥ " : "≤ ") + number + " " + verdict.word();
    }

    private static String brief(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return value >= 10 ? String.format(Locale.ROOT, "%.1f", value) : hundredths(value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
