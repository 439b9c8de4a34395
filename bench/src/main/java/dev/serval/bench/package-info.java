/// The benchmark suite's command line. Entry type: [dev.serval.bench.Main]. Owner thread: `main`.
/// Depends on `load`, `peer` and `report`.
@NullMarked
package dev.serval.bench;

import org.jspecify.annotations.NullMarked;
