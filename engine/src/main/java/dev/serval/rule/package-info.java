/// Rules of a mount: handlers that come before those which answer, and that redirect, rewrite or
/// refuse requests.
///
/// Entry types: [dev.serval.rule.DeniedPaths], [dev.serval.rule.Redirect],
/// [dev.serval.rule.Rewrite], [dev.serval.rule.TryFiles] and [dev.serval.rule.AddressRules]. Owner
/// thread: none; each is immutable and serves all loops. Depends on `http`, `handler`, `exchange` and
/// `file`.
@NullMarked
package dev.serval.rule;

import org.jspecify.annotations.NullMarked;
