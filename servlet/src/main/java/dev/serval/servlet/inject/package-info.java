/// Instances of an application's classes, with their injected values, and the names under `java:`.
///
/// Entry types: [dev.serval.servlet.inject.ComponentFactory], which creates instances, and
/// [dev.serval.servlet.inject.AppNaming], which holds the names of one application. Both are
/// immutable and serve every thread. Sources: Servlet 6.1 §15.2.2 and §15.5, Jakarta Annotations
/// 3.0 §2, and chapter 5 of the Jakarta EE platform for simple environment entries. Depends on
/// `descriptor`.
///
/// There is no state for the whole process. `new InitialContext().lookup("java:comp/env/x")` finds
/// the names through the context class loader of the calling thread, in three steps:
///
/// 1. JNDI reads `jndi.properties` from that class loader. The loader of an application adds
///    [dev.serval.servlet.inject.AppNaming#jndiProperties] to the resources of that name.
/// 2. The file names this package as a source of URL contexts. JNDI loads the class
///    [dev.serval.servlet.inject.AppNaming#FACTORY_CLASS] from that class loader, which delegates
///    this one class to the server.
///    It makes the initial context too, unless the application names another factory.
/// 3. The factory asks the context class loader, or a parent, for its names: the loader is a
///    [dev.serval.servlet.inject.NamingOwner].
///
/// No system property is set and no builder is installed. A process that embeds the server keeps
/// its own JNDI, and if it installed an `InitialContextFactoryBuilder`, look-ups go there instead.
@NullMarked
package dev.serval.servlet.inject;

import org.jspecify.annotations.NullMarked;
