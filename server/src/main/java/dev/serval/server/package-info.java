/// The product: the command line and what it starts.
///
/// Entry type: [dev.serval.server.Main]. Threads: all of it runs on the main thread, except
/// [dev.serval.server.StopSignals], which the JVM calls on a thread of its own, and
/// [dev.serval.server.WelcomePage], which the loops call. May use every package of the engine and
/// the command line library; nothing uses it.
@NullMarked
package dev.serval.server;

import org.jspecify.annotations.NullMarked;
