package dev.serval.bench.page;

import dev.serval.bench.report.Gap;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Where Serval stands in each measure in which servers are compared.
///
/// @param all the worst for Serval first
record Standings(List<Standing> all) {
    static final String SUBJECT = "serval";

    /// Programs that are measured beside the servers and are none.
    private static final List<String> YARDSTICKS = List.of("floor", "before");

    /// Returns the standings in all rows that have Serval and another server.
    static Standings of(List<Report> reports) {
        List<Standing> all = new ArrayList<>();
        for (Report report : reports) {
            List<String> failed =
                    report.gaps().stream()
                            .filter(gap -> gap.peer().equals(SUBJECT))
                            .filter(gap -> gap.kind() == Gap.Kind.FAILED)
                            .map(Gap::cell)
                            .toList();
            List<String> java =
                    report.peers().stream().filter(PeerFacts::java).map(PeerFacts::name).toList();
            report.cells().stream()
                    .flatMap(cell -> cell.rows().stream())
                    .map(row -> standing(report.scenario(), row, java, failed))
                    .flatMap(List::stream)
                    .forEach(all::add);
        }
        all.sort(
                Comparator.comparing(Standing::state)
                        .thenComparing(Comparator.comparingDouble(Standing::ratio).reversed()));
        return new Standings(List.copyOf(all));
    }

    static List<Standing> standing(
            String scenario, Row row, List<String> java, List<String> failed) {
        Statistics own = row.values().get(SUBJECT);
        boolean none = own == null || Double.isNaN(own.median());
        Map<String, Statistics> others = new LinkedHashMap<>();
        row.values()
                .forEach((peer, figure) -> {
                    if (!isOneOf(peer, List.of(SUBJECT)) // also with other settings
                            && !YARDSTICKS.contains(peer)
                            && !Double.isNaN(figure.median())) {
                        others.put(peer, figure);
                    }
                });
        Optional<Map.Entry<String, Statistics>> best = best(row, others, _ -> true);
        if (best.isEmpty() || (none && !failed.contains(row.cell()))) {
            return List.of();
        }
        Statistics subject = own == null ? Statistics.of(List.of()) : own;
        Statistics other = best.get().getValue();
        return List.of(
                new Standing(
                        scenario,
                        row,
                        subject,
                        best.get().getKey(),
                        other,
                        Standing.judged(row, subject, other),
                        best(row, others, peer -> isOneOf(peer, java))
                                .map(one -> Standing.judged(row, subject, one.getValue()))
                                .orElse(Standing.State.ALONE)));
    }

    private static Optional<Map.Entry<String, Statistics>> best(
            Row row, Map<String, Statistics> others, Predicate<String> taken) {
        Comparator<Map.Entry<String, Statistics>> byFigure =
                Comparator.comparingDouble(one -> one.getValue().median());
        return others.entrySet().stream()
                .filter(one -> taken.test(one.getKey()))
                .min(row.better() == Row.Better.LOWER ? byFigure : byFigure.reversed());
    }

    /// Returns whether a peer is one of these, perhaps with other settings, as `jetty-virtual`.
    private static boolean isOneOf(String peer, List<String> names) {
        return names.stream().anyMatch(name -> peer.equals(name) || peer.startsWith(name + "-"));
    }

    /// Returns those in which Serval is worse than another server, or failed.
    List<Standing> losses() {
        return all.stream().filter(one -> one.state().compareTo(Standing.State.EQUAL) < 0).toList();
    }

    /// Returns how often Serval is first, in all measures and in those of loads.
    Table counts() {
        Map<String, List<Standing>> groups = new LinkedHashMap<>();
        groups.put("all measures", all);
        for (String measure : List.of("CPU per request", "requests per second", "p99")) {
            List<Standing> own =
                    all.stream().filter(one -> one.row().measure().equals(measure)).toList();
            if (!own.isEmpty()) {
                groups.put(measure, own);
            }
        }
        List<List<String>> rows = new ArrayList<>();
        groups.forEach((name, some) ->
                rows.add(
                        List.of(
                                name,
                                share(some.stream().map(Standing::amongJava).toList()),
                                share(some.stream().map(Standing::state).toList()))));
        return new Table(
                List.of("measure", "first among Java servers", "first among all servers"), rows);
    }

    private static String share(List<Standing.State> states) {
        List<Standing.State> compared =
                states.stream().filter(state -> state != Standing.State.ALONE).toList();
        long first = compared.stream().filter(Standing.State::isFirst).count();
        return first + " of " + compared.size();
    }

    /// Returns a table of standings.
    static Table table(List<Standing> some) {
        return new Table(
                List.of("measure", SUBJECT, "best other", "", "unit", "ratio", "result"),
                some.stream()
                        .map(one ->
                                List.of(
                                        one.label(),
                                        range(one.own()),
                                        range(one.other()),
                                        one.best(),
                                        one.row().unit(),
                                        one.ratioText(),
                                        one.state().word()))
                        .toList());
    }

    private static String range(Statistics of) {
        return of.text(Numbers::of);
    }
}
