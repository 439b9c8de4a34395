/// The engine inside another program: ten servers of at most ten lines each, which the manual page
/// docs/manual/embedding.md shows, and one that is a program.
///
/// Entry type: [dev.serval.examples.embedding.Embedded]. Threads: the caller's to start and stop;
/// the server brings its own. Uses `dev.serval` and `dev.serval.app`.
@NullMarked
package dev.serval.examples.embedding;

import org.jspecify.annotations.NullMarked;
