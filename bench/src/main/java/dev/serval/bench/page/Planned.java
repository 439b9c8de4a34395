package dev.serval.bench.page;

import dev.serval.bench.report.Gap;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a scenario could measure, to find what results do not have.
///
/// @param cells the servers that each cell compares, none if it is of Serval only
public record Planned(String scenario, Map<String, List<String>> cells) {
    static final String NOT_ASKED = "not part of that run";

    /// Returns the cell whose result this is. The name of a result may have more words.
    private Optional<String> cell(String result) {
        String name = result;
        while (!cells.containsKey(name) && name.contains("-")) {
            name = name.substring(0, name.lastIndexOf('-'));
        }
        return cells.containsKey(name) ? Optional.of(name) : Optional.empty();
    }

    /// Returns a gap for each server that a run was not asked for, though its cells compare it.
    List<Gap> notAsked(Report report) {
        List<String> asked = report.peers().stream().map(PeerFacts::name).toList();
        Map<String, Set<String>> missing = new LinkedHashMap<>();
        for (String name : measured(report)) {
            List<String> peers = new ArrayList<>(cells.getOrDefault(name, List.of()));
            peers.removeAll(asked);
            peers.forEach(peer -> missing.computeIfAbsent(peer, _ -> new TreeSet<>()).add(name));
        }
        List<Gap> gaps = new ArrayList<>();
        missing.forEach((peer, names) -> {
            String all = String.join(", ", names);
            gaps.add(new Gap(all, peer, Gap.Kind.NOT_MEASURED, NOT_ASKED));
        });
        return gaps;
    }

    private Set<String> measured(Report report) {
        Set<String> names = new TreeSet<>();
        report.cells().forEach(result -> cell(result.cell()).ifPresent(names::add));
        return names;
    }

    /// Returns the cells that no report has, in the scenario's order.
    List<String> withoutResult(List<Report> reports) {
        List<String> left = new ArrayList<>(cells.keySet());
        reports.stream()
                .filter(report -> (report.scenario() + "@").startsWith(scenario + "@"))
                .forEach(report -> left.removeAll(measured(report)));
        return left;
    }
}
