/// The logs of applications: one file for each, with what the application prints and what the
/// container says about it (Servlet 6.1 §4.2 leaves the place of the log to the container).
///
/// Entry types: [dev.serval.servlet.log.AppLogs], one for a container, and
/// [dev.serval.servlet.log.AppLog], one for an application. Any thread writes; the thread
/// `serval-app-log` owns the files. Depends on `log` of the engine for the text of
/// messages.
@NullMarked
package dev.serval.servlet.log;

import org.jspecify.annotations.NullMarked;
