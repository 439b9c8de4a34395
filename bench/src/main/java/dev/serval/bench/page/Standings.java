package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
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
import java.util.function.Function;

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
            for (CellResult cell : report.cells()) {
                for (Row row : cell.rows()) {
                    all.addAll(
                            standing(
                                    report.scenario(),
                                    row,
                                    peer -> cell.against(row, SUBJECT, peer),
                                    java,
                                    failed.contains(row.cell())));
                }
            }
        }
        all.sort(
                Comparator.comparing(Standing::state)
                        .thenComparing(Comparator.comparingDouble(Standing::ratio).reversed()));
        return new Standings(List.copyOf(all));
    }

    /// Serval's figure and that of another server in the row in which both are compared.
    private record Pair(String peer, Row row, Statistics own, Statistics other) {
        static Pair of(String peer, Row row) {
            Statistics own = row.values().getOrDefault(SUBJECT, Statistics.NONE);
            return new Pair(peer, row, own, row.values().getOrDefault(peer, Statistics.NONE));
        }

        Standing.State state() {
            return Standing.judged(row, own, other);
        }

        /// Returns Serval ÷ the other server, as if Serval had 1 if it has nothing.
        double ratio() {
            boolean none = Double.isNaN(own.median());
            return Standing.quotient(row, none ? Statistics.one(1) : own, other);
        }

        /// Returns a figure of which less is better.
        double figure() {
            return row.better() == Row.Better.LOWER ? other.median() : -other.median();
        }
    }

    /// Returns where Serval stands in a row, or nothing if it is not compared there.
    ///
    /// @param against the row in which it is compared with a peer
    /// @param failed whether it failed
    static List<Standing> standing(
            String scenario,
            Row row,
            Function<String, Row> against,
            List<String> java,
            boolean failed) {
        List<Pair> pairs =
                row.values().keySet().stream()
                        .filter(peer ->
                                !isOneOf(peer, List.of(SUBJECT))) // also with other settings
                        .filter(peer -> !YARDSTICKS.contains(peer))
                        .map(peer -> Pair.of(peer, against.apply(peer)))
                        .filter(pair -> !Double.isNaN(pair.other.median()))
                        .toList();
        Optional<Pair> best = best(pairs);
        if (best.isEmpty() || (Double.isNaN(best.get().own.median()) && !failed)) {
            return List.of();
        }
        Pair one = best.get();
        List<Pair> amongJava = pairs.stream().filter(pair -> isOneOf(pair.peer, java)).toList();
        return List.of(
                new Standing(
                        scenario,
                        one.row,
                        one.own,
                        one.peer,
                        one.other,
                        state(pairs),
                        state(amongJava)));
    }

    /// Returns the worst server for Serval: if one is better beyond the spread, the best of such.
    private static Optional<Pair> best(List<Pair> pairs) {
        return pairs.stream()
                .min(
                        Comparator.comparing(Pair::state)
                                .thenComparing(Comparator.comparingDouble(Pair::ratio).reversed())
                                .thenComparingDouble(Pair::figure));
    }

    private static Standing.State state(List<Pair> pairs) {
        return best(pairs).map(Pair::state).orElse(Standing.State.ALONE);
    }

    /// Returns whether a peer is one of these, perhaps with other settings, as `jetty-virtual`.
    private static boolean isOneOf(String peer, List<String> names) {
        return names.stream().anyMatch(name -> peer.equals(name) || peer.startsWith(name + "-"));
    }

    /// Returns those in which Serval is worse than another server, or failed.
    List<Standing> losses() {
        return all.stream().filter(it -> it.state().compareTo(Standing.State.LOSES) <= 0).toList();
    }

    /// Returns those that tell which server is better.
    List<Standing> decided() {
        return all.stream().filter(one -> one.state().isDecided()).toList();
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
        List<Standing.State> compared = states.stream().filter(Standing.State::isDecided).toList();
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
