package dev.serval.jsp;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.pages.PageSetup;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.tomcat.Jar;
import org.apache.tomcat.JarScanFilter;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScanner;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.JarFactory;
import org.jspecify.annotations.Nullable;

/// Shows Jasper the jars in WEB-INF/lib of one application, and never the class path of the server.
/// Any thread.
///
/// @param app the application
record AppJarScanner(PageSetup app) implements JarScanner {
    @Override
    public void scan(JarScanType type, ServletContext context, JarScannerCallback callback) {
        for (Path path : app.jars()) {
            try (Jar jar = JarFactory.newInstance(path.toUri().toURL())) {
                callback.scan(jar, "/WEB-INF/lib/" + path.getFileName(), true);
            } catch (IOException e) {
                app.log().log(
                        WARNING,
                        "The tag libraries in "
                                + path.getFileName()
                                + " cannot be used, because one cannot be read",
                        e);
            }
        }
    }

    @Override
    public @Nullable JarScanFilter getJarScanFilter() {
        return null; // every jar of the application is scanned
    }

    @Override
    public void setJarScanFilter(JarScanFilter filter) {
        throw new UnsupportedOperationException("All jars of the application are scanned");
    }
}
