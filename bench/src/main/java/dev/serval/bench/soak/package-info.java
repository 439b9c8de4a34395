/// Implements `serval soak workers`: application code does everything that it can do to its
/// threads, and every answer is compared. [dev.serval.bench.soak.WorkerSoak] runs server, clients
/// and the hammer in one JVM.
@NullMarked
package dev.serval.bench.soak;

import org.jspecify.annotations.NullMarked;
