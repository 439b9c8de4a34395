package dev.serval.command;

import org.jspecify.annotations.Nullable;

/// The version of this build, from the jar's manifest. Stateless.
public final class Version {
    /// The version, such as `0.1.0`, or `development` if the program runs from a folder of classes.
    public static final String TEXT = text();

    private Version() {}

    private static String text() {
        @Nullable String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
