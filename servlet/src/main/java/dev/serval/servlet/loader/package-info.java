/// Class loading of applications (Servlet 6.1 §10.7.2), and what an application leaves behind.
///
/// Entry types: [dev.serval.servlet.loader.ApiClassLoader], one for a server;
/// [dev.serval.servlet.loader.AppClassLoader], one for an application; and
/// [dev.serval.servlet.loader.LeakReport]. Loaders serve all threads; the thread that undeploys an
/// application searches for leaks. Depends on `inject`, for the names under `java:`, on `log`, and
/// on `pages`.
///
/// An application sees the JDK, the Jakarta API classes of the container and its own classes, and
/// nothing else of the server but what a JSP engine shares
/// ([dev.serval.servlet.pages.SharedCode]) and the class
/// [dev.serval.servlet.inject.AppNaming#FACTORY_CLASS], which JNDI loads. `Class-Path` of manifests
/// is ignored, because it could name files outside of the application. Signatures of jars are not
/// checked.
@NullMarked
package dev.serval.servlet.loader;

import org.jspecify.annotations.NullMarked;
