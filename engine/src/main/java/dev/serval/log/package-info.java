/// The access log: formats, a ring of lines for each loop, and one thread that writes the files.
///
/// Entry types: [dev.serval.log.AccessLogs], one for a server, and [dev.serval.log.AccessLog], which
/// receives the exchanges. A loop writes each line into its own ring and never waits; a line that
/// does not fit is counted and dropped. The thread `serval-access-log` owns the files. Depends on the
/// terms of HTTP, the contract of handlers and the loop's clock only.
@NullMarked
package dev.serval.log;

import org.jspecify.annotations.NullMarked;
