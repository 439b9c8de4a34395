/// Scenarios as data: their cells, read from JSON files, and the settings of a run.
///
/// Entry type: [dev.serval.bench.scenario.Scenario]. Owner thread: none, since everything is
/// immutable. Depends on `hello`, `report` and `servlet`.
@NullMarked
package dev.serval.bench.scenario;

import org.jspecify.annotations.NullMarked;
