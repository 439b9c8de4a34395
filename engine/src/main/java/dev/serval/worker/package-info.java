/// Application code on event loops: virtual threads that the loop of their connection carries. A
/// watchdog preempts a loop if application code keeps it. No API: only the engine sees this package,
/// and `Serval` shows what Workers do.
///
/// Entry types: [dev.serval.worker.LoopWorkers], the Workers of one loop, and
/// [dev.serval.worker.Carriers], the threads of all loops. Owner thread: Workers belong to their
/// loop. Methods that other threads may call are marked. Depends on `loop`.
@NullMarked
package dev.serval.worker;

import org.jspecify.annotations.NullMarked;
