/// Commands to a server that runs, over a Unix-domain socket that only its user can open.
///
/// A server opens a [dev.serval.control.ControlServer], which carries out a command on a virtual
/// thread for each connection. A [dev.serval.control.ControlClient] sends one command, prints the
/// lines that come back, and ends with the exit code of the command. [dev.serval.control.ServerSearch]
/// finds the server that runs with a configuration file. All use [dev.serval.control.Wire], whose texts
/// and lists are bounded. Nothing here runs on an event loop. The package depends on nothing else of
/// Serval.
@NullMarked
package dev.serval.control;

import org.jspecify.annotations.NullMarked;
