/// HTTP sessions of one application (Servlet 6.1 §7): their ids, life, attributes, expiry, and how
/// an id travels.
///
/// Entry types: [dev.serval.servlet.session.Sessions], which creates and finds sessions;
/// [dev.serval.servlet.session.SessionFacade], which one request holds; and
/// [dev.serval.servlet.session.SessionCookie] and [dev.serval.servlet.session.SessionUrl] for
/// tracking. [dev.serval.servlet.session.SessionStore] is the seam for sessions outside memory,
/// which package `kept` implements.
///
/// Owner threads: any thread may call. A request changes the state of a session by one
/// compare-and-set. Short locks guard the attributes of one session and the lists of one stripe. No
/// lock is held while application code runs. One maintenance thread calls `Sessions.tick`. Depends
/// on `descriptor`, on `map` for the form of paths, and on `vault` for the stored form of a session.
@NullMarked
package dev.serval.servlet.session;

import org.jspecify.annotations.NullMarked;
