/// The web application that scenario `servlet` requests: one servlet for each kind of load.
///
/// Entry types: the servlets, mapped by their annotations. They run inside the compared servers,
/// on the threads of each server, and not in the suite. They follow Jakarta Servlet 6.0, the level
/// that every compared server has. The package depends on the Servlet API alone, because the suite
/// copies its classes into WEB-INF/classes.
@NullMarked
package dev.serval.bench.war;

import org.jspecify.annotations.NullMarked;
