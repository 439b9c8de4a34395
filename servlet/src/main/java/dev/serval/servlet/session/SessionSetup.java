package dev.serval.servlet.session;

import jakarta.servlet.ServletContext;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/// What the sessions of one application are built on. Immutable.
///
/// @param context the application's context
/// @param store keeps the sessions by id
/// @param events receives the events for the application's listeners
/// @param ids draws ids
/// @param clock the time
/// @param heap tells whether the heap is short
/// @param loaded tells whether the server is so loaded that sessions without a returned id end sooner
/// @param threads runs each task on a thread for application code, with its class loader
/// @param log receives the exceptions of listeners
public record SessionSetup(
        ServletContext context,
        SessionStore store,
        SessionEvents events,
        SessionIds ids,
        SessionClock clock,
        HeapGauge heap,
        BooleanSupplier loaded,
        Executor threads,
        System.Logger log) {}
