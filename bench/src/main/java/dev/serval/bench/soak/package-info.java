/// `serval soak`: a server under all that application code may do to its threads, with every answer
/// compared. [dev.serval.bench.soak.WorkerSoak] is a run: server, clients and the hammer in one JVM.
@NullMarked
package dev.serval.bench.soak;

import org.jspecify.annotations.NullMarked;
