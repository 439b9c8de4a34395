/// Runs a scenario: cells as data, clients, warm-up and interleaved rounds.
///
/// Entry type: [dev.serval.bench.load.ScenarioRun]. Scenarios are JSON in
/// `resources/dev/serval/bench/load/scenarios`. Owner thread: the caller's. Depends on `hello`,
/// `peer`, `report` and `servlet`.
@NullMarked
package dev.serval.bench.load;

import org.jspecify.annotations.NullMarked;
