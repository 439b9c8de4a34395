/// Starts databases of Debian's packages for tests and benchmarks.
///
/// Entry type: [dev.serval.testkit.database.PostgresServer]. Owner thread: that of the test.
@NullMarked
package dev.serval.testkit.database;

import org.jspecify.annotations.NullMarked;
