package dev.serval.boringssl;

import io.netty.internal.tcnative.Library;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads the native library once for the process. Any thread.
final class NativeLibrary {
    /// The processors by the JDK's names, and the names of their libraries.
    private static final Map<String, String> PROCESSORS =
            Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64", "aarch_64");

    private NativeLibrary() {}

    /// Loads the library unless it was loaded before.
    ///
    /// @throws IOException if there is none for this system, or it cannot be loaded; the message says
    ///     what to do
    static void load() throws IOException {
        @Nullable String problem = Loaded.PROBLEM;
        if (problem != null) {
            throw new IOException(problem);
        }
    }

    /// The result of the only attempt, made when it is first needed.
    private static final class Loaded {
        static final @Nullable String PROBLEM =
                problem(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /// Tries to load the library for a system.
    ///
    /// @return null if it is loaded; otherwise why not, and what to do
    static @Nullable String problem(String system, String processor) {
        @Nullable String suffix = PROCESSORS.get(processor.toLowerCase(Locale.ROOT));
        if (!system.equals("Linux") || suffix == null) {
            return "TLS by BoringSSL is built for Linux on x86_64 and aarch64, and this is "
                    + system
                    + " on "
                    + processor
                    + ": use the provider jdk";
        }
        try {
            load("libnetty_tcnative_linux_" + suffix + ".so");
            return null;
        } catch (Exception | LinkageError e) {
            return "The native library of BoringSSL cannot be loaded from "
                    + System.getProperty("java.io.tmpdir")
                    + ": "
                    + e.getMessage()
                    + ". Name a folder that allows it by -Djava.io.tmpdir, or use the provider jdk";
        }
    }

    /// Copies the library to a file, because the system loads no other. The file is removed at once: the
    /// process keeps what it has loaded.
    @SuppressWarnings("restricted") // the manifest of the server allows native code
    private static void load(String name) throws Exception {
        Path folder = Files.createTempDirectory("serval-boringssl");
        Path file = folder.resolve(name);
        try (@Nullable InputStream in =
                NativeLibrary.class.getResourceAsStream("/META-INF/native/" + name)) {
            if (in == null) {
                throw new IOException("the jar has no " + name);
            }
            Files.copy(in, file);
            System.load(file.toString());
        } finally {
            for (Path each : List.of(file, folder)) {
                Files.deleteIfExists(each);
            }
        }
        if (!Library.initialize("provided", null)) {
            throw new IOException("it refuses to start");
        }
    }
}
