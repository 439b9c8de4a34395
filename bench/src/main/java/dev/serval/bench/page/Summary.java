package dev.serval.bench.page;

import dev.serval.bench.report.Environment;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The words and tables that the HTML page and the Markdown document share.
final class Summary {
    static final String TITLE = "Benchmarks of Serval";
    static final String COUNTS = "How often Serval is first; within the spread counts as first";
    static final String PLOT =
            "Serval ÷ the best other server in each measure, the losses first. Where more is better,"
                    + " it is the reciprocal: a dot on the left of 1 is good for Serval.";
    static final String LOSSES = "Where Serval loses: median (min–max)";
    static final String EVERY = "Every measure: median (min–max)";
    static final String UNMEASURED = "Cells of the scenarios without a result";
    static final String LEFT_OUT = "Files that are not in this report";

    private Summary() {}

    /// Returns when, where and of which commit the results are.
    static List<String> measured(List<Report> reports) {
        Map<String, Set<String>> machines = new LinkedHashMap<>();
        for (Report report : reports) {
            Environment e = report.environment();
            machines.computeIfAbsent(e.cpuModel() + ", " + e.cpus(), _ -> new LinkedHashSet<>())
                    .add(e.commit().replaceFirst("^(.{7})[0-9a-f]*", "$1"));
        }
        List<String> lines = new ArrayList<>();
        machines.forEach((machine, commits) ->
                lines.add("Commit " + String.join(", ", commits) + " on " + machine + "."));
        return lines;
    }

    /// Returns where Serval stands, in sentences.
    static List<String> sentences(Standings standings) {
        int all = standings.decided().size();
        if (all == 0) {
            return List.of("There is no result that compares Serval with another server.");
        }
        int lost = standings.losses().size();
        long leads =
                standings.all().stream().filter(one -> one.state() == Standing.State.LEADS).count();
        return List.of(
                ("Of %d measures, Serval leads in %d, is within the spread of the best other server in"
                                + " %d, and loses in %d.")
                        .formatted(all, leads, all - leads - lost, lost));
    }

    /// Returns machine and versions, a row for each scenario.
    static Table machines(List<Report> reports) {
        List<List<String>> rows = new ArrayList<>();
        for (Report report : reports) {
            Environment e = report.environment();
            rows.add(
                    List.of(
                            report.scenario(),
                            e.date(),
                            e.commit(),
                            e.cpuModel() + ", " + e.cpus(),
                            e.memoryMegabytes() + " MB",
                            e.kernel(),
                            e.jdk()));
        }
        return new Table(
                List.of("scenario", "date", "commit", "CPU", "memory", "Linux", "JDK"), rows);
    }

    /// Returns the servers with their versions, or why they are missing.
    static Table servers(List<Report> reports) {
        Set<List<String>> rows = new LinkedHashSet<>();
        for (Report report : reports) {
            for (PeerFacts peer : report.peers()) {
                boolean missing = !peer.missing().isEmpty();
                rows.add(
                        List.of(
                                peer.name(),
                                peer.java() ? "yes" : "no",
                                missing ? "not measured: " + peer.missing() : peer.version()));
            }
        }
        return new Table(List.of("server", "Java", "version"), List.copyOf(rows));
    }

    /// Returns the configurations by the servers and scenarios that have them. Equal ones are one.
    static Map<String, String> configurations(List<Report> reports) {
        Map<String, Map<String, List<String>>> byPeer = new LinkedHashMap<>();
        for (Report report : reports) {
            for (PeerFacts peer : report.peers()) {
                if (!peer.configuration().isEmpty()) {
                    byPeer.computeIfAbsent(peer.name(), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(peer.configuration(), _ -> new ArrayList<>())
                            .add(report.scenario());
                }
            }
        }
        Map<String, String> named = new LinkedHashMap<>();
        byPeer.forEach((peer, texts) ->
                texts.forEach((text, scenarios) ->
                        named.put(peer + " in " + String.join(", ", scenarios), text)));
        return named;
    }

    /// Returns facts as a table.
    static Table facts(Map<String, String> facts) {
        return new Table(
                List.of("setting", "value"),
                facts.entrySet().stream()
                        .map(fact -> List.of(fact.getKey(), fact.getValue()))
                        .toList());
    }
}
