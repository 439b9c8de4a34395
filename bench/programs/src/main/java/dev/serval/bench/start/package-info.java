/// The WARs whose start is measured. They are generated at run time and are the same in every run.
///
/// Entry types: [dev.serval.bench.start.WarFile] and [dev.serval.bench.start.SpringWar]. Owner
/// thread: the caller's. Depends on `peer` and `servlet`.
@NullMarked
package dev.serval.bench.start;

import org.jspecify.annotations.NullMarked;
