/// What an application may still declare by code while it starts: servlets, filters and listeners,
/// their parameters and paths, and the settings of the session cookie (Servlet 6.1 §4.4, §7.1.1).
///
/// Entry types: [dev.serval.servlet.registration.ServletRegistrations],
/// [dev.serval.servlet.registration.FilterRegistrations] and
/// [dev.serval.servlet.registration.ListenerRegistrations];
/// [dev.serval.servlet.registration.Listeners], which calls the listeners later; and
/// [dev.serval.servlet.registration.ContextGate], which refuses a call that comes too early or too
/// late. The thread that deploys an application owns all of it until the context is RUNNING. From
/// then on any thread may read. Depends on `descriptor` and `inject`.
@NullMarked
package dev.serval.servlet.registration;

import org.jspecify.annotations.NullMarked;
