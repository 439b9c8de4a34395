/// The files of a deployed application: as sources of its classes and declarations, as its
/// resources, and as answers (Servlet 6.1 §4.6, §10.5, §10.10, §12.2).
///
/// Entry types: [dev.serval.servlet.files.FileServlet], the default servlet;
/// [dev.serval.servlet.files.WelcomeFiles], which finds what answers a folder;
/// [dev.serval.servlet.files.DeployedFiles], the resources of a context; and
/// [dev.serval.servlet.files.DeployedSource], which reads folders and jars when the application
/// starts, with [dev.serval.servlet.files.FileScanCache] for what is known of a jar already.
///
/// Owner threads: the thread that deploys reads the sources; all other types serve any thread that
/// may wait for the disk. A loop only reads [dev.serval.servlet.files.WelcomeMemory]. Depends on
/// `archive` for the files, on `scan`, `assembly` and `context` for the interfaces that it
/// implements, and on `dispatch` and the engine's `file` for the answers.
@NullMarked
package dev.serval.servlet.files;

import org.jspecify.annotations.NullMarked;
