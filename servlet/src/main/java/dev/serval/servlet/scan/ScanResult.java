package dev.serval.servlet.scan;

import java.util.List;

/// What the class files of one origin say. Immutable.
///
/// @param classes in the order of the origin
/// @param faults the class files that could not be read
public record ScanResult(List<ClassFacts> classes, List<Fault> faults) {
    /// No class.
    public static final ScanResult EMPTY = new ScanResult(List.of(), List.of());

    /// A class file that could not be read.
    ///
    /// @param path from the root of the origin
    /// @param reason a sentence that says why
    /// @param annotated whether the file contains the name of an annotation that declares a
    ///     servlet, filter or listener
    public record Fault(String path, String reason, boolean annotated) {}

    /// Copies the lists.
    public ScanResult {
        classes = List.copyOf(classes);
        faults = List.copyOf(faults);
    }
}
