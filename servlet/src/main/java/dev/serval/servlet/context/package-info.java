/// One running application: its ServletContext, its servlets and filters, from start to stop
/// (Servlet 6.1 §2.3, §4, §6.2.1, §8.2.4, §11).
///
/// Entry types: [dev.serval.servlet.context.AppContext], the facade that applications see, and
/// [dev.serval.servlet.context.AppLifecycle], which starts and stops everything in order. The
/// thread that deploys an application owns all of it until the context is RUNNING. From then on any
/// thread may read, attributes may change, and servlets are created under their own locks. Depends
/// on `registration`, `descriptor` and `inject`; the interfaces `AppResources`, `Dispatchers`,
/// `Contexts`, `MediaTypeTable` and `HandledTypes` are implemented by other packages.
@NullMarked
package dev.serval.servlet.context;

import org.jspecify.annotations.NullMarked;
