/// Applications from their files to their end: reads, starts, mounts and stops them.
///
/// Entry types: [dev.serval.servlet.app.AppContainer], which has what applications share, and
/// [dev.serval.servlet.app.Deployment], one application. The thread that deploys owns a deployment
/// until it runs; then any thread may use it. Depends on all packages of this module but the root.
@NullMarked
package dev.serval.servlet.app;

import org.jspecify.annotations.NullMarked;
