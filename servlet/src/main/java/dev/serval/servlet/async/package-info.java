/// Asynchronous requests: their states, their listeners, and streams that do not wait (Servlet 6.1
/// §2.3.3.3, §3.7, §5.7).
///
/// Entry types: [dev.serval.servlet.async.AsyncCycle], the asynchronous processing of one request,
/// and [dev.serval.servlet.async.AsyncState], which says where its container thread is. Any thread
/// calls them, under one short lock that is never held while application code runs.
/// [dev.serval.servlet.async.AsyncRun] is what they need of the run of the request. Depends on
/// `dispatch` for the target of a dispatch, and on `request`. Read
/// `docs/internals/servlet-async.md` first.
@NullMarked
package dev.serval.servlet.async;

import org.jspecify.annotations.NullMarked;
