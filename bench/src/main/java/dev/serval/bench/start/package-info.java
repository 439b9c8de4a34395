/// The time from the start of a server to the first answer of an application: the WARs, which are
/// generated at run time and the same in every run, and the measurement.
///
/// Entry type: [dev.serval.bench.start.StartRun]. Owner thread: the caller's. Depends on `client`,
/// `peer`, `report` and `servlet`.
@NullMarked
package dev.serval.bench.start;

import org.jspecify.annotations.NullMarked;
