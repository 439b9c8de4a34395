/// Runs a request through an application, from its first filter to the end of its response: calls
/// the servlet, answers its failures, and carries out what happens to an asynchronous request.
///
/// Entry type: [dev.serval.servlet.run.RequestRun]. A run belongs to one container thread at a
/// time. Depends on `dispatch` for where the request goes, on `async` and `upgrade` for what it may
/// become, and on `parameter` and `multipart` for the faults of clients.
@NullMarked
package dev.serval.servlet.run;

import org.jspecify.annotations.NullMarked;
