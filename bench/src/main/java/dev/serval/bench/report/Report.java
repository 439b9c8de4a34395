package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The results of one run of a scenario.
///
/// @param paper the paper that the scenario repeats, or empty
/// @param peers all that were asked for, those missing on the machine included
/// @param notes what a reader must know, such as missing peers and figures that did not settle
public record Report(
        String scenario,
        String title,
        String paper,
        Environment environment,
        List<PeerFacts> peers,
        List<CellResult> cells,
        List<String> notes) {
    /// Returns what the report does not have.
    public List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>();
        for (PeerFacts peer : peers) {
            if (!peer.missing().isEmpty()) {
                gaps.add(new Gap("", peer.name(), Gap.Kind.NOT_MEASURED, peer.missing()));
            }
        }
        cells.forEach(cell -> gaps.addAll(cell.gaps()));
        return gaps;
    }

    /// Returns this report with other results.
    public Report with(List<CellResult> others) {
        return new Report(scenario, title, paper, environment, peers, others, notes);
    }

    /// Returns this report with the cells, servers and notes that only an older one has.
    public Report joined(Report older) {
        return new Report(
                scenario,
                title,
                paper,
                environment.joined(older.environment),
                union(peers, older.peers, PeerFacts::name),
                union(cells, older.cells, CellResult::cell),
                union(notes, older.notes, note -> note));
    }

    private static <T> List<T> union(List<T> newer, List<T> older, Function<T, String> name) {
        Set<String> known = newer.stream().map(name).collect(Collectors.toSet());
        List<T> all = new ArrayList<>(newer);
        older.stream().filter(one -> !known.contains(name.apply(one))).forEach(all::add);
        return all;
    }

    /// Returns this report under another name.
    public Report named(String name) {
        return new Report(name, title, paper, environment, peers, cells, notes);
    }

    /// Returns a name that tells results of a scenario apart by their commits.
    public String nameAtCommit() {
        return scenario + "@" + environment.commit().replaceFirst("^(.{7}).*", "$1");
    }

    /// Returns this report of another environment.
    public Report in(Environment other) {
        return new Report(scenario, title, paper, other, peers, cells, notes);
    }

    /// Returns whether no gate failed.
    public boolean passed() {
        return cells.stream().noneMatch(c -> c.verdict() == Verdict.FAIL);
    }
}
