/// Results for people and in files: a report as text, Markdown and JSON, which is read back; the
/// journal of a run that has not ended; and the page of all scenarios, one HTML file that needs no
/// network.
///
/// Entry types: [dev.serval.bench.page.ReportFiles] and [dev.serval.bench.page.ReportFolder]. Owner
/// thread: none, since everything is immutable or used within one call, except
/// [dev.serval.bench.page.Journal]. Depends on the results of package `report`, on the
/// reader of resources in `peer`, and on the JSON library.
@NullMarked
package dev.serval.bench.page;

import org.jspecify.annotations.NullMarked;
