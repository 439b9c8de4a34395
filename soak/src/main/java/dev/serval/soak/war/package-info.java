/// The web application of `serval soak servlets`: servlets that answer each request in one of the
/// ways that Servlet 6.1 offers. The right answer follows from the request.
///
/// Entry types: the servlets, mapped by their annotations and by web.xml, and
/// [dev.serval.soak.war.Pattern], which the clients use too. The servlets run in the server's
/// process, on its threads. The package depends on the Servlet API and on the JDK only, because the
/// suite puts its classes into the WAR.
@NullMarked
package dev.serval.soak.war;

import org.jspecify.annotations.NullMarked;
