/// Scenario `lrwp`: applications that dial in to the gateway. Entry type:
/// [dev.serval.bench.lrwp.LrwpRun]. The peers run as processes of their own; the load runs in
/// threads of the suite. Depends on `bare`, `client`, `load`, `peer`, `report`, `run`,
/// `scenario` and `servlet`.
@NullMarked
package dev.serval.bench.lrwp;

import org.jspecify.annotations.NullMarked;
