package dev.serval.jsp;

import dev.serval.servlet.pages.PageException;
import java.nio.file.Path;

/// Prints the folder that a server gets for compiled pages. [PageStoreTest] runs it in another JVM.
final class PageStoreProgram {
    private PageStoreProgram() {}

    /// Prints the folder.
    ///
    /// @param arguments the work folder, and the key of the application
    public static void main(String[] arguments) throws PageException {
        Path work = Path.of(arguments[0]);
        try (PageStore store =
                new PageStore(PageStoreTest.app(work, arguments[1]), PageLimits.DEFAULT)) {
            System.out.println(store.folder("pages").getParent());
        }
    }
}
