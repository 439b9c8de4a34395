package dev.serval.servlet.archive;

import java.nio.file.Path;

/// A file or folder of an application. Immutable.
///
/// @param path where it is on the disk
/// @param folder whether it is a folder
/// @param jar the name of the jar that it was extracted from; empty for the application's own
public record AppFile(Path path, boolean folder, String jar) {}
