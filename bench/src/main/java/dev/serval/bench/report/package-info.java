/// The results of a benchmark: rounds, figures, and their rendering as text, Markdown and JSON.
///
/// Entry types: [dev.serval.bench.report.Report] and [dev.serval.bench.report.ReportFiles]. Owner
/// thread: none, since everything is immutable. Depends only on the JSON library.
@NullMarked
package dev.serval.bench.report;

import org.jspecify.annotations.NullMarked;
