/// The access logs of a site: what a file or a command line says about them, and the logs that are
/// open.
///
/// Entry types: [dev.serval.accesslog.LogReader] and [dev.serval.accesslog.SiteLogs]. The lines
/// themselves are those of the engine's package [dev.serval.log].
@NullMarked
package dev.serval.accesslog;

import org.jspecify.annotations.NullMarked;
