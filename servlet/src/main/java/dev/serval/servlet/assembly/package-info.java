/// Puts together what the descriptors and the annotations of an application declare (Servlet 6.1
/// §8.2): web.xml over fragments over annotations.
///
/// Entry types: [dev.serval.servlet.assembly.AppReader], which reads an
/// [dev.serval.servlet.assembly.AppSource] and gives an
/// [dev.serval.servlet.assembly.AssembledApp]. All is owned by the thread that deploys. Depends on
/// `webxml` for the descriptors, on `scan` for classes, and on `descriptor` for what it fills.
@NullMarked
package dev.serval.servlet.assembly;

import org.jspecify.annotations.NullMarked;
