/// How loaded a server is, and what that changes.
///
/// Entry types: [dev.serval.load.LoadMonitor], one for each server, which any thread may use, and
/// [dev.serval.load.LoopLoad], the part of one loop, which the loop owns. The settings of each mode
/// are in [dev.serval.policy.Limits.Loads]. May use `http`, `policy` and `loop`.
@NullMarked
package dev.serval.load;

import org.jspecify.annotations.NullMarked;
