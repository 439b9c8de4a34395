/// Reads the class files of an application without loading a class: the annotations of Servlet and
/// the hierarchy that `@HandlesTypes` asks for (Servlet 6.1 §8.1, §8.2.4).
///
/// Entry types: [dev.serval.servlet.scan.AnnotationScan], which turns
/// [dev.serval.servlet.scan.ClassFiles] into a [dev.serval.servlet.scan.ScanResult], and
/// [dev.serval.servlet.scan.ClassHierarchy]. Results are immutable; the thread that deploys owns
/// the rest. Depends on no other package.
@NullMarked
package dev.serval.servlet.scan;

import org.jspecify.annotations.NullMarked;
