/// Histograms of times, and what is kept of requests that have ended.
///
/// A [dev.serval.metrics.Histogram] has one writer, such as an event loop, and any number of readers.
/// Recording a time allocates nothing and writes no cache line that another thread writes. A reader
/// sums the histograms of all loops in a [dev.serval.metrics.Distribution], which is immutable.
/// [dev.serval.metrics.MountTimes] has what one loop has measured at one mount, and
/// [dev.serval.metrics.SlowRequests] the slowest requests of one loop. Everything has a fixed size. The
/// package knows neither HTTP nor sockets, and uses no other package.
@NullMarked
package dev.serval.metrics;

import org.jspecify.annotations.NullMarked;
