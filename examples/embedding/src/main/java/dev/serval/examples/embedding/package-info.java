/// The engine inside another program.
///
/// Entry type: [dev.serval.examples.embedding.Embedded]. Threads: the caller's to start and stop;
/// the server brings its own. Uses `dev.serval` alone.
@NullMarked
package dev.serval.examples.embedding;

import org.jspecify.annotations.NullMarked;
