package dev.serval.bench.scenario;

import dev.serval.bench.peer.Resources;
import java.util.List;
import java.util.Map;

/// Which cells and peers a run of all scenarios measures.
///
/// @param peers of every scenario that has them; empty for those of the scenario
/// @param cells by scenario, of which one that is missing is left out; empty for all of every
///     scenario
public record Selection(List<String> peers, Map<String, List<String>> cells) {
    /// Selects everything.
    public static final Selection EVERYTHING = new Selection(List.of(), Map.of());

    /// Returns the selection of `all --quick`, which ends within half an hour: from each scenario
    /// some cells of each kind, and the four servers that most people compare.
    public static Selection quick() {
        return read("quick.json");
    }

    /// Returns the selection of `all --short`, the report that docs/results has: the tables and
    /// figures of the papers, and one server of each kind.
    public static Selection brief() {
        return read("short.json");
    }

    private static Selection read(String file) {
        return Scenario.JSON.readValue(Resources.bytes(Selection.class, file), Selection.class);
    }

    /// Returns the cells of a scenario; empty for all.
    public List<String> of(String scenario) {
        return cells.getOrDefault(scenario, List.of());
    }

    /// Returns whether nothing of a scenario is measured.
    public boolean leavesOut(String scenario) {
        return !cells.isEmpty() && !cells.containsKey(scenario);
    }
}
