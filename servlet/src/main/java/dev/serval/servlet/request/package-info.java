/// A request and its response as an application sees them: the objects behind HttpServletRequest and
/// HttpServletResponse, their streams, and what they need of their application.
///
/// Entry types: [dev.serval.servlet.request.ServletExchange], which has both, and
/// [dev.serval.servlet.request.AppScope]. They belong to the thread that runs the request's code.
/// Calls after the end of the request fail. Depends on `session`, `parameter` and `descriptor`
/// (Servlet 6.1 §3, §5).
@NullMarked
package dev.serval.servlet.request;

import org.jspecify.annotations.NullMarked;
