/// Reads an application's descriptors and annotations and puts them together (Servlet 6.1 §8.2,
/// §14): web.xml over fragments over annotations.
///
/// Entry types: [dev.serval.servlet.assembly.AppReader], which reads an
/// [dev.serval.servlet.assembly.AppSource] and gives an
/// [dev.serval.servlet.assembly.AssembledApp]. All is owned by the thread that deploys. Depends on
/// `dev.serval.servlet.descriptor` for what it fills, and on `dev.serval.servlet.scan` for classes.
@NullMarked
package dev.serval.servlet.assembly;

import org.jspecify.annotations.NullMarked;
