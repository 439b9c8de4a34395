/// What a running server measures, for Prometheus and the like.
///
/// [dev.serval.figures.Metric] is the table of all metrics, from which the manual's page is checked.
/// [dev.serval.figures.ServerFigures] reads them from the engine, the applications, the neighbours and
/// the JVM, and writes them in one of the text formats of [dev.serval.figures.ExpositionFormat]. Nothing
/// is kept between two readings. Any thread that may wait for a second, such as a Worker. Depends on the
/// packages whose figures it reads.
@NullMarked
package dev.serval.figures;

import org.jspecify.annotations.NullMarked;
