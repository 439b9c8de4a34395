/// Sessions that leave the memory: which ones do, when they are stored, and how they move between
/// versions of an application and between servers (Servlet 6.1 §7.7.2).
///
/// Entry types: [dev.serval.servlet.kept.SessionPlan], the embedder's choice;
/// [dev.serval.servlet.kept.SessionStart], which opens the store of an application by its plan; and
/// [dev.serval.servlet.kept.KeptSessions], the store.
///
/// Owner threads: any thread that may block, so no event loop. The timer of the container calls
/// `tick`, which starts at most one thread for application code. Depends on `session` for what a
/// session is, and on `vault` for its stored form.
@NullMarked
package dev.serval.servlet.kept;

import org.jspecify.annotations.NullMarked;
