package dev.serval.jsp;

import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/// What the compilations of a container's pages share.
///
/// @param permits for the pages that are compiled at one time
/// @param clock nanoseconds, as of System.nanoTime
record Compilations(Semaphore permits, LongSupplier clock) {}
