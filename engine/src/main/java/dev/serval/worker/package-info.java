/// Application code on event loops: virtual threads that the loop of their connection carries, and
/// the watchdog that preempts a loop which stays in application code.
///
/// Entry types: [dev.serval.worker.LoopWorkers], the Workers of one loop, and
/// [dev.serval.worker.Carriers], the threads of all loops. Owner thread: Workers belong to their
/// loop; what another thread may call says so. Depends on `loop`.
@NullMarked
package dev.serval.worker;

import org.jspecify.annotations.NullMarked;
