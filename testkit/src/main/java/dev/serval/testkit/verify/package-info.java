/// The program of `./serval verify`. It runs Maven, writes Maven's output to a file, prints one
/// line per module, and reports what failed. The launcher starts it from source before anything is
/// compiled, so it needs only the JDK and no annotation of another jar.
///
/// Entry type: [dev.serval.testkit.verify.Verify]. Owner thread: the main thread; a timer calls
/// [dev.serval.testkit.verify.Progress] for a sign of life. Source: the JUnit XML reports of Maven
/// Surefire.
@NullMarked
package dev.serval.testkit.verify;

import org.jspecify.annotations.NullMarked;
