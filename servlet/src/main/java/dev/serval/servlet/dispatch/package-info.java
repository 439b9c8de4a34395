/// Where a request goes in an application: the servlet and the filters of a path, forward and
/// include, and the table of error pages (Servlet 6.1 §6, §9, §10.9, §12).
///
/// Entry types: [dev.serval.servlet.dispatch.AppRoutes], which has the servlets of a running
/// application; [dev.serval.servlet.dispatch.PathDispatcher]; and
/// [dev.serval.servlet.dispatch.FilterWalk], which calls the filters and then the servlet. The
/// routes are immutable and serve all threads; the rest belongs to the thread that runs the request.
/// [dev.serval.servlet.dispatch.RequestHost] is what a request needs of the server. Depends on
/// `request`, `map`, `context` and `descriptor`.
@NullMarked
package dev.serval.servlet.dispatch;

import org.jspecify.annotations.NullMarked;
