/// The servlet container's public API: deploys applications and mounts them on a server.
///
/// Depends on all packages of this module.
@NullMarked
package dev.serval.servlet;

import org.jspecify.annotations.NullMarked;
