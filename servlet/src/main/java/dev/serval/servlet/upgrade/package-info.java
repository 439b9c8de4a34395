/// Connections that an application has taken over by an HttpUpgradeHandler (Servlet 6.1 §2.3.3.5).
///
/// Entry type: [dev.serval.servlet.upgrade.UpgradeRun], from the 101 response to the end of the
/// connection. Any thread calls it, under one short lock; at most one thread at a time runs code of
/// the handler. Depends on `dispatch` for the application, on `async` for the lock that a loop may
/// take, and on the engine's `blocking` for the tunnel.
@NullMarked
package dev.serval.servlet.upgrade;

import org.jspecify.annotations.NullMarked;
