/// The product: the command line, and the server that it starts.
///
/// Entry type: [dev.serval.server.Main]. Threads: all code runs on the main thread, with two
/// exceptions. The JVM calls [dev.serval.server.StopSignals] on a separate thread, and the loops
/// call [dev.serval.server.WelcomePage]. May use every package of the engine and the command line
/// library. No package uses it.
@NullMarked
package dev.serval.server;

import org.jspecify.annotations.NullMarked;
