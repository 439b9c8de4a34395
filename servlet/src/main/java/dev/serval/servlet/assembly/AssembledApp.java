package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.scan.ClassFiles;
import java.util.List;

/// An application as its files declare it, before its initializers run.
///
/// @param draft what descriptors and annotations declare
/// @param jars the jars of WEB-INF/lib in the order of their fragments
/// @param excluded the jars that web.xml's absolute-ordering leaves out; their
///     ServletContainerInitializers are not called (Servlet 6.1 §8.2.2)
/// @param ordered whether a descriptor asks for an order, so that the names of `jars` are the
///     attribute `jakarta.servlet.context.orderedLibs` (§8.3)
/// @param classes WEB-INF/classes and `jars`, for `@HandlesTypes`
/// @param warnings what does not keep the application from running, for its log
public record AssembledApp(
        AppDraft draft,
        List<ClassFiles> jars,
        List<ClassFiles> excluded,
        boolean ordered,
        AppClasses classes,
        List<String> warnings) {
    /// Copies the lists.
    public AssembledApp {
        jars = List.copyOf(jars);
        excluded = List.copyOf(excluded);
        warnings = List.copyOf(warnings);
    }
}
