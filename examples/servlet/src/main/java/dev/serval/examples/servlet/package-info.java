/// The servlet container inside another program: a servlet without a WAR in ten lines, and a WAR in
/// five.
///
/// Entry types: [dev.serval.examples.servlet.HelloServlet] and
/// [dev.serval.examples.servlet.MountedWar]. Threads: the caller's thread starts and stops server
/// and application. Uses `dev.serval` and `dev.serval.servlet`.
@NullMarked
package dev.serval.examples.servlet;

import org.jspecify.annotations.NullMarked;
