/// Applications from their start to their end: reads, starts, mounts and stops them.
///
/// Entry types: [dev.serval.servlet.app.AppContainer], which has what applications share, and
/// [dev.serval.servlet.app.Deployment], one application. The thread that deploys owns a deployment
/// until it runs; then any thread may use it. Puts the other packages of this module together, and
/// is used by none of them.
@NullMarked
package dev.serval.servlet.app;

import org.jspecify.annotations.NullMarked;
