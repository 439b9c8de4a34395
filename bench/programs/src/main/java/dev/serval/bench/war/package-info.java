/// The web application that the scenarios with servlets request: one servlet for each kind of load.
///
/// Entry types: the servlets, mapped by their annotations. They run inside the compared servers,
/// on the threads of each server, and not in the suite. They follow Jakarta Servlet 6.0, the level
/// that every compared server has. The package depends on the Servlet API alone, because the suite
/// copies its classes into WEB-INF/classes. Only [dev.serval.bench.war.Items] needs more, which
/// WEB-INF/lib has in the scenarios that request it.
@NullMarked
package dev.serval.bench.war;

import org.jspecify.annotations.NullMarked;
