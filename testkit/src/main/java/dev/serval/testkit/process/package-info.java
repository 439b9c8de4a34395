/// Processes that tests start, with those that these start. Uses `/proc` of Linux if it exists.
///
/// Entry type: [dev.serval.testkit.process.ProcessTree]. Owner thread: any. The package uses the JDK and
/// the waits of [dev.serval.testkit].
@NullMarked
package dev.serval.testkit.process;

import org.jspecify.annotations.NullMarked;
