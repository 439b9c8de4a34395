/// Embeds Serval in another program: [dev.serval.Serval] builds, starts and stops a server, and
/// [dev.serval.Folder] creates the handler that serves files.
///
/// ```java
/// try (Serval server = Serval.builder().listen(8080).mount("/", Folder.of(path)).start()) {
///     Thread.currentThread().join();
/// }
/// ```
///
/// Owner thread: any. May use every package of the engine; no package uses it.
@NullMarked
package dev.serval;

import org.jspecify.annotations.NullMarked;
