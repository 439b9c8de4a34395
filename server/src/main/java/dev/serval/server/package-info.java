/// The process: it starts a server by its command line, shows it, attends to it while it serves, and
/// stops it.
///
/// Entry type: [dev.serval.server.Main]. Threads: the main thread starts and stops everything. The
/// JVM calls [dev.serval.server.StopSignals] on a separate thread. May use every package of the
/// engine and of this module. No package uses it.
@NullMarked
package dev.serval.server;

import org.jspecify.annotations.NullMarked;
