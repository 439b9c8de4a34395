package dev.serval.servlet.pages;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/// An application, as an engine for its pages sees it. Immutable.
///
/// @param name for messages and threads
/// @param loader loads the application's classes
/// @param root the folder that has WEB-INF
/// @param jars those of WEB-INF/lib, in the order in which they are searched
/// @param taglibs the locations of the tag libraries that web.xml names
/// @param patterns which requests are for pages, such as `*.jsp`
/// @param workFolder of the server; the engine may keep compiled pages in a folder below it
/// @param key is the same for the same content; for a folder, for the same path
/// @param development whether clients may see why a page failed, and changed pages are compiled
/// @param components for tag handlers
/// @param guard returns a compiled class file without calls that would end the server
/// @param log of the application
public record PageSetup(
        String name,
        ClassLoader loader,
        Path root,
        List<Path> jars,
        List<String> taglibs,
        List<String> patterns,
        Path workFolder,
        String key,
        boolean development,
        PageComponents components,
        UnaryOperator<byte[]> guard,
        System.Logger log) {
    /// Copies the lists.
    public PageSetup {
        jars = List.copyOf(jars);
        taglibs = List.copyOf(taglibs);
        patterns = List.copyOf(patterns);
    }
}
