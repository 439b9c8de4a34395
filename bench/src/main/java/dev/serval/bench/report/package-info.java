/// The results of a benchmark: rounds, figures, gates, and what they say as rows, charts and tables.
///
/// Entry type: [dev.serval.bench.report.Report]. Owner thread: none, since everything is immutable.
/// Depends only on the JSON library.
@NullMarked
package dev.serval.bench.report;

import org.jspecify.annotations.NullMarked;
