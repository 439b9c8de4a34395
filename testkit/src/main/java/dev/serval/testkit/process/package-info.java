/// Processes that tests start, with those that these start. Uses `/proc` of Linux if it exists.
///
/// Entry types: [dev.serval.testkit.process.ProcessTree] and [dev.serval.testkit.process.Haproxy]. Owner
/// thread: any. The package uses the JDK, JUnit's assumptions, and the waits, ports and files of
/// [dev.serval.testkit].
@NullMarked
package dev.serval.testkit.process;

import org.jspecify.annotations.NullMarked;
