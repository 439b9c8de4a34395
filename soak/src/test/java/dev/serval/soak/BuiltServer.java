package dev.serval.soak;

import java.nio.file.Path;
import java.util.List;

/// The server with the classes of this build, for short soaks. Stateless.
public final class BuiltServer {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private BuiltServer() {}

    /// Returns the command that starts it, before its arguments.
    ///
    /// @param heap the option for its heap
    public static List<String> command(String heap) {
        return List.of(
                JAVA,
                heap,
                "-XX:+UseSerialGC",
                // As many loops, threads and classes on each machine, for the limits of growth.
                "-XX:ActiveProcessorCount=4",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.serval.server.Main");
    }
}
