/// Runs scenarios: starts their peers, and measures every kind of cell in rounds.
///
/// Entry type: [dev.serval.bench.run.ScenarioRun]. Owner thread: the caller's. Depends on `bare`,
/// `client`, `load`, `peer`, `report`, `scenario`, `servlet`, `shop`, `start`, and on the class `Burn` of `war`.
@NullMarked
package dev.serval.bench.run;

import org.jspecify.annotations.NullMarked;
