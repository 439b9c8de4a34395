/// A run of the server after its build, which makes the cache for fast starts.
///
/// Entry type: [dev.serval.rehearsal.Rehearsal], a program that the launcher starts. Owner thread: its
/// main thread; a second one ends a server that hangs. Depends on nothing of Serval.
@NullMarked
package dev.serval.rehearsal;

import org.jspecify.annotations.NullMarked;
