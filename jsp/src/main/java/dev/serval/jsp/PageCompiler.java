package dev.serval.jsp;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.jasper.compiler.JDTCompiler;
import org.apache.jasper.compiler.SmapStratum;

/// Jasper's compiler, whose classes cannot end the server: calls such as `System.exit` are replaced
/// as in the other classes of an application. Jasper creates one for each page by its name.
public final class PageCompiler extends JDTCompiler {
    @Override
    protected void generateClass(Map<String, SmapStratum> smaps) throws Exception {
        super.generateClass(smaps);
        Object instances = ctxt.getServletContext().getAttribute(OpenPages.INSTANCES);
        if (!(instances instanceof TagInstances own)) {
            throw new IllegalStateException(
                    "The application has replaced the attribute "
                            + OpenPages.INSTANCES
                            + " of its context: remove that code");
        }
        Path file = Path.of(ctxt.getClassFileName());
        guard(file, own.app().guard());
        String name = String.valueOf(file.getFileName());
        String inner = name.substring(0, name.length() - ".class".length()) + "$";
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(
                        folder(file), path -> path.getFileName().toString().startsWith(inner))) {
            for (Path each : files) {
                guard(each, own.app().guard());
            }
        }
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException("The compiled page " + file + " is in no folder");
        }
        return folder;
    }

    private static void guard(Path file, UnaryOperator<byte[]> guard) throws IOException {
        byte[] compiled = Files.readAllBytes(file);
        byte[] guarded = guard.apply(compiled);
        if (!Arrays.equals(compiled, guarded)) {
            Files.write(file, guarded);
        }
    }
}
