/// Content that waits: bounded memory, then a temporary file, under a quota for all content of the
/// gateway. So slow clients hold neither peers nor memory.
///
/// Entry types: [dev.serval.gateway.spool.CollectedContent] for the content of a request,
/// [dev.serval.gateway.spool.Spool] and [dev.serval.gateway.spool.SpoolQuota]. Owner
/// threads: the loop of the exchange owns a spool; only [dev.serval.gateway.spool.Spool#flush] runs
/// on a thread of `ExecutorKind.DISK`, while the loop leaves the spool alone. Depends on `exchange`
/// and `handler` of the engine, and on `net` for the output of peers.
@NullMarked
package dev.serval.gateway.spool;

import org.jspecify.annotations.NullMarked;
