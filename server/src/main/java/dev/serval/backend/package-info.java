/// Applications in other processes: their handlers and listeners, the lines of the start screen and
/// the rows of `serval status`.
///
/// Entry type: [dev.serval.backend.Backends]. Owner threads: the main thread starts; threads of
/// commands change the neighbours and print the status. Depends on `settings`, the gateway and the
/// engine.
@NullMarked
package dev.serval.backend;

import org.jspecify.annotations.NullMarked;
