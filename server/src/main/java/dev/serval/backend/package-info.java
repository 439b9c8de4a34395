/// Applications in other processes, as the command line of the server has them: the options, the
/// lines of the start screen and the rows of `serval status`.
///
/// Entry type: [dev.serval.backend.Backends]. Owner threads: the main thread reads options and
/// starts; threads of the control socket print the status. Depends on the gateway and the engine.
@NullMarked
package dev.serval.backend;

import org.jspecify.annotations.NullMarked;
