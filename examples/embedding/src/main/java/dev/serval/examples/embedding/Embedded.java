package dev.serval.examples.embedding;

import dev.serval.Folder;
import dev.serval.Serval;
import java.io.IOException;
import java.nio.file.Path;

/// Serves a folder from inside a program, in six lines.
public final class Embedded {
    private Embedded() {}

    /// Serves the given folder at the given port until the process ends. The defaults are the
    /// current folder and port 8080.
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : ".");
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 8080;
        Serval serval = serve(folder, port);
        System.out.println("Serving " + folder + " at " + serval.addresses().getFirst());
    }

    /// Starts a server, which the caller must close.
    static Serval serve(Path folder, int port) throws IOException {
        return Serval.builder().listen(port).mount("/", Folder.of(folder)).start();
    }
}
