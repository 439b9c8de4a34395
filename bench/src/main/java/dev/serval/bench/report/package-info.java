/// What a benchmark found: rounds, figures, results, and their rendering as text, Markdown and JSON.
///
/// Entry types: [dev.serval.bench.report.Report] and [dev.serval.bench.report.ReportFiles]. Owner
/// thread: everything is immutable. Depends on nothing but the JSON library.
@NullMarked
package dev.serval.bench.report;

import org.jspecify.annotations.NullMarked;
