package dev.serval.servlet.loader;

import java.util.List;

/// Words the reasons why a class cannot be loaded. Stateless.
final class MissingClass {
    /// The major version of class files of Java 1, minus one.
    private static final int MAJOR_OFFSET = 44;

    private static final int PREVIEW_MINOR = 0xffff;

    /// Packages that the Jakarta EE 9 release renamed from `javax` to `jakarta`.
    private static final List<String> RENAMED =
            List.of(
                    "javax.servlet.",
                    "javax.websocket.",
                    "javax.el.",
                    "javax.annotation.Post",
                    "javax.annotation.Pre",
                    "javax.annotation.Resource",
                    "javax.annotation.security.");

    private MissingClass() {}

    /// Returns the message for a class that is in no source. It begins with the class.
    static String message(String className, int sources) {
        for (String renamed : RENAMED) {
            if (className.startsWith(renamed)) {
                return className
                        + " belongs to Java EE 8 or earlier, and this server runs Jakarta EE: use a"
                        + " version of the application or library with the package jakarta."
                        + className.substring("javax.".length(), className.lastIndexOf('.'));
            }
        }
        String places =
                sources == 1
                        ? "its only class folder or jar"
                        : "any of its " + sources + " class folders and jars";
        return className
                + " is not in the application: it is not in "
                + places
                + ". Add the jar that has it to WEB-INF/lib";
    }

    /// Returns the error for a class that was compiled for a later Java, or with preview features.
    static UnsupportedClassVersionError tooNew(
            String className, String place, byte[] bytes, UnsupportedClassVersionError cause) {
        int minor = (bytes[4] & 0xff) << 8 | (bytes[5] & 0xff);
        int java = ((bytes[6] & 0xff) << 8 | (bytes[7] & 0xff)) - MAJOR_OFFSET;
        int running = Runtime.version().feature();
        String message =
                minor == PREVIEW_MINOR && java <= running
                        ? className
                                + " in "
                                + place
                                + " uses preview features of Java "
                                + java
                                + ", but this server runs Java "
                                + running
                                + " without them: start it with Java "
                                + java
                                + " and --enable-preview"
                        : className
                                + " in "
                                + place
                                + " is compiled for Java "
                                + java
                                + " (class file version "
                                + (java + MAJOR_OFFSET)
                                + "), but this server runs Java "
                                + running
                                + ": run it with Java "
                                + java
                                + " or later, or compile the class with --release "
                                + running;
        UnsupportedClassVersionError error = new UnsupportedClassVersionError(message);
        error.initCause(cause);
        return error;
    }

    /// Returns the error for a class file that is damaged.
    static ClassFormatError damaged(String className, String place, ClassFormatError cause) {
        ClassFormatError error =
                new ClassFormatError(
                        className
                                + " in "
                                + place
                                + " is damaged: "
                                + cause.getMessage()
                                + ". Copy or build it again");
        error.initCause(cause);
        return error;
    }
}
