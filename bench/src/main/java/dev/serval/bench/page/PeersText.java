package dev.serval.bench.page;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.Verdict;
import java.util.List;

/// The table of cells with one figure for each peer.
record PeersText(List<PeersResult> results) {
    static final String TITLE = "Other figures of each peer: median (min–max); the best other (*)";

    Table table() {
        List<String> peers =
                results.stream()
                        .flatMap(r -> r.peers().stream().map(PeersResult.PeerValues::peer))
                        .distinct()
                        .toList();
        Table.Columns<PeersResult> columns = Table.of(results).text("cell", PeersResult::cell);
        peers.forEach(peer -> columns.text(peer, r -> value(r, peer)));
        return columns.text("unit", PeersResult::unit)
                .text("figure", PeersText::figure)
                .text("gate", r -> limit(r, r.limit().gate(), r.verdict()))
                .text("aim", r -> limit(r, r.limit().aim(), r.aimVerdict()))
                .table();
    }

    private static String value(PeersResult result, String peer) {
        return result.peers().stream()
                .filter(one -> one.peer().equals(peer))
                .findFirst()
                .map(one -> one.failure() == null ? mark(result, peer) + range(one) : "failed")
                .orElse("–");
    }

    private static String mark(PeersResult result, String peer) {
        return peer.equals(result.reference()) ? "*" : "";
    }

    private static String range(PeersResult.PeerValues values) {
        return Digits.range(values.statistics(), 2);
    }

    private static String figure(PeersResult result) {
        double figure = result.figure();
        if (Double.isNaN(figure)) {
            return "–";
        }
        return switch (result.limit().kind()) {
            case VALUE -> Digits.brief(figure, 2);
            case RATIO_TO_SMALLEST, RATIO_TO_GREATEST -> "÷ * " + Digits.hundredths(figure);
        };
    }

    private static String limit(PeersResult result, double limit, Verdict verdict) {
        if (Double.isNaN(limit)) {
            return verdict == Verdict.FAIL ? verdict.word() : "–";
        }
        boolean least = result.limit().kind() == PeersResult.Kind.RATIO_TO_GREATEST;
        String number = limit >= 100 ? Digits.of(limit, 0) : Digits.hundredths(limit);
        return (least ? "≥ " : "≤ ") + number + " " + verdict.word();
    }
}
