/// Scenario `servlet`: its requests with their expected answers, and the application as an exploded
/// WAR.
///
/// Entry types: [dev.serval.bench.servlet.WarFolder] and [dev.serval.bench.servlet.Request]. Owner
/// thread: the caller's. Depends on `peer`, and on the classes of `war` as files.
@NullMarked
package dev.serval.bench.servlet;

import org.jspecify.annotations.NullMarked;
