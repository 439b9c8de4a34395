package dev.serval.servlet.assembly;

import dev.serval.servlet.scan.AnnotationScan;
import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.scan.ClassHierarchy;
import dev.serval.servlet.scan.ScanResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The classes of an application, which are scanned when first asked for: an application whose
/// web.xml is complete, and that has no `@HandlesTypes`, is never scanned. Owned by the thread that
/// deploys.
public final class AppClasses {
    private final AnnotationScan scan;
    private final ClassFiles classes;
    private final List<ClassFiles> jars;
    private @Nullable List<ScanResult> results;

    AppClasses(AnnotationScan scan, ClassFiles classes, List<ClassFiles> jars) {
        this.scan = scan;
        this.classes = classes;
        this.jars = List.copyOf(jars);
    }

    /// Returns WEB-INF/classes and the jars that are not excluded, in order.
    public List<ClassFiles> origins() {
        List<ClassFiles> origins = new ArrayList<>();
        origins.add(classes);
        origins.addAll(jars);
        return origins;
    }

    /// Returns one result for each of [#origins].
    ///
    /// @throws IOException if an origin cannot be read or has too many classes
    public List<ScanResult> results() throws IOException {
        if (results == null) {
            results = scan.scan(origins());
        }
        return results;
    }

    /// Returns the hierarchy of all classes, whether or not annotations count.
    ///
    /// @param outside finds the class files of the JDK and of the container's API
    /// @throws IOException if an origin cannot be read or has too many classes
    public ClassHierarchy hierarchy(ClassHierarchy.Outside outside) throws IOException {
        return new ClassHierarchy(results(), outside);
    }
}
