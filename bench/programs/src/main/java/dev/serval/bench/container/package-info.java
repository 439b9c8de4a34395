/// The servlet containers that Serval is compared with, as programs. The classes `…Server` each run
/// in a process of its own, which alone has that container's jars on its class path.
///
/// Entry types: the classes `…Server`, and [dev.serval.bench.container.PackageClasses] for the suite.
/// Owner thread: the main thread of a program, or the caller's. Depends on `bare`
/// and the classes of `war`.
@NullMarked
package dev.serval.bench.container;

import org.jspecify.annotations.NullMarked;
