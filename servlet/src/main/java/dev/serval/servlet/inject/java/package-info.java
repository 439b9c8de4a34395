/// The one class that JNDI finds by its name: for the scheme `java` it looks for
/// `PREFIX.java.javaURLContextFactory`. A package of its own, because JNDI derives its name from
/// the scheme.
///
/// Entry type: [dev.serval.servlet.inject.java.javaURLContextFactory]. Any thread may call it; it
/// has no state. Source: the documentation of `javax.naming.spi.NamingManager`. Depends on
/// `inject`.
@NullMarked
package dev.serval.servlet.inject.java;

import org.jspecify.annotations.NullMarked;
