/// The command line of the benchmark suite. Entry type: [dev.serval.bench.Main]. Owner thread:
/// `main`. Depends on `load`, `peer` and `report`.
@NullMarked
package dev.serval.bench;

import org.jspecify.annotations.NullMarked;
