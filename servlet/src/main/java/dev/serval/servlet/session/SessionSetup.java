package dev.serval.servlet.session;

import jakarta.servlet.ServletContext;
import java.util.function.BooleanSupplier;

/// What the sessions of one application are built on. Immutable.
///
/// @param context the application's context
/// @param store keeps the sessions by id
/// @param events receives the events for the application's listeners
/// @param ids draws ids
/// @param clock the time
/// @param pressed whether the server is in heavy or critical mode
/// @param log receives the exceptions of listeners
public record SessionSetup(
        ServletContext context,
        SessionStore store,
        SessionEvents events,
        SessionIds ids,
        SessionClock clock,
        BooleanSupplier pressed,
        System.Logger log) {}
