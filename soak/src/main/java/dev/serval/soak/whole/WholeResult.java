package dev.serval.soak.whole;

import dev.serval.bench.report.Environment;
import dev.serval.soak.subject.Remains;
import java.util.List;
import org.HdrHistogram.Histogram;

/// What a whole soak has found.
///
/// @param rows of all parts, in their order
/// @param first the times of answers in the first minutes of the load, in µs; `last` those of the
///     last minutes
/// @param crowd the times beside the crowd
/// @param before what the server held after the warm-up, at rest; `after` the same at the end
/// @param residentMegabytes at the end
/// @param examples descriptions of the first wrong answers
/// @param access what the access log has
/// @param logged entries of the server's log that nothing explains
/// @param outOfMemory whether the log reports exhausted memory
record WholeResult(
        Environment environment,
        List<Row> rows,
        Histogram first,
        Histogram last,
        Histogram crowd,
        Remains before,
        Remains after,
        long residentMegabytes,
        List<String> examples,
        AccessLines access,
        List<String> logged,
        boolean outOfMemory) {}
