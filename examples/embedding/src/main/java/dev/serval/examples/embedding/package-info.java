/// The engine inside another program. There are ten servers of at most ten lines each, which the
/// manual page docs/manual/embedding.md shows, and one complete program.
///
/// Entry type: [dev.serval.examples.embedding.Embedded]. Threads: the caller's thread starts and
/// stops a server, which has its own threads. Uses `dev.serval` and `dev.serval.app`.
@NullMarked
package dev.serval.examples.embedding;

import org.jspecify.annotations.NullMarked;
