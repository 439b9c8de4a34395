package dev.serval.servlet.descriptor;

/// The code of a servlet, filter or listener.
public sealed interface Component {
    /// A class of the application, by name. The container loads it and creates the instance.
    record Named(String className) implements Component {}

    /// A class that code registered. The container creates the instance.
    record OfClass(Class<?> type) implements Component {}

    /// An instance that code registered.
    record Instance(Object object) implements Component {}

    /// A JSP file of the application, by its path from the context root, as a servlet.
    record JspFile(String path) implements Component {}

    /// Returns the name of the class, or of the JSP file.
    default String text() {
        return switch (this) {
            case Named named -> named.className();
            case OfClass of -> of.type().getName();
            case Instance instance -> instance.object().getClass().getName();
            case JspFile jsp -> jsp.path();
        };
    }
}
