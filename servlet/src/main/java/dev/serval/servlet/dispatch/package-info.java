/// How a request travels through an application: filters and servlet, forward and include, error
/// pages, and asynchronous processing (Servlet 6.1 §2.3.3.3, §6, §9, §10.9).
///
/// Entry types: [dev.serval.servlet.dispatch.AppRoutes], which has the servlets of a running
/// application, and [dev.serval.servlet.dispatch.RequestRun], which runs one request. A run belongs
/// to one thread at a time. Depends on `request`, `map`, `context`, `descriptor`, and on `parameter` and
/// `multipart` for the faults of clients.
@NullMarked
package dev.serval.servlet.dispatch;

import org.jspecify.annotations.NullMarked;
