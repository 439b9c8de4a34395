/// The WARs whose start is measured. They are generated at run time and are the same in every run.
///
/// Entry type: [dev.serval.bench.start.WarFile]. Owner thread: the caller's. Depends on `container`
/// and `war`.
@NullMarked
package dev.serval.bench.start;

import org.jspecify.annotations.NullMarked;
