/// The kinds of connection over which the tests of whole servers run: HTTP/1.1 and HTTP/2, each with TLS
/// and without. `modes.txt` lists which tests do not run over each, and why.
///
/// Entry types: [dev.serval.testkit.mode.EveryMode] for a class of tests, and
/// [dev.serval.testkit.mode.Mode] for what starts their servers. Owner thread: any. The package uses the
/// JDK, and the API of JUnit if a test runs.
@NullMarked
package dev.serval.testkit.mode;

import org.jspecify.annotations.NullMarked;
