/// Scenario `servlet`: its requests with their expected answers, the application as an exploded
/// WAR, and the servlet containers that Serval is compared with.
///
/// Entry types: [dev.serval.bench.servlet.ServletPeer] and [dev.serval.bench.servlet.Request]. The
/// classes `…Server` are programs: each runs in a process of its own, which alone has that
/// container's jars on its class path. Owner thread: the caller's. Depends on `peer`, and on the
/// classes of `war` as files.
@NullMarked
package dev.serval.bench.servlet;

import org.jspecify.annotations.NullMarked;
