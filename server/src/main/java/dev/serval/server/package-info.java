/// The product: the command line, and the server that it starts.
///
/// Entry type: [dev.serval.server.Main]. Threads: the main thread starts and stops everything. The
/// JVM calls [dev.serval.server.StopSignals] on a separate thread, and the loops call
/// [dev.serval.server.WelcomePage] and [dev.serval.server.AppDirectory]. Threads of the control
/// socket and of [dev.serval.server.DevWatch] change a [dev.serval.server.LiveSite]. May use every
/// package of the engine and the command line library. No package uses it.
@NullMarked
package dev.serval.server;

import org.jspecify.annotations.NullMarked;
