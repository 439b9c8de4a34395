package dev.serval.servlet.assembly;

import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of an application, whether in an archive or in a folder.
public interface AppSource {
    /// Returns the bytes of a file; null if there is no such file.
    ///
    /// @param path from the root of the application, with slashes: `WEB-INF/web.xml`
    /// @param maxBytes the most bytes that are read; the content ends there
    byte @Nullable [] file(String path, int maxBytes) throws IOException;

    /// Returns the files below WEB-INF/classes; without files if there is no such folder.
    ClassFiles classes();

    /// Returns the jars of WEB-INF/lib, in an order that is the same at every start.
    List<? extends ClassFiles> jars();
}
