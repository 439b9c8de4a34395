package dev.serval.settings;

import dev.serval.servlet.database.DatabaseSettings;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How web applications run. Immutable.
///
/// @param dev whether clients may see why an application failed, and changes restart it
/// @param precompile whether JSP pages are compiled when their application is started
/// @param logs the folder for logs of applications; null if they print to the standard streams
/// @param requestTimeLimit zero for none
/// @param users the file of users who may log in; null for none
/// @param sources data sources for every application
/// @param sessions how they keep sessions
/// @param encoding of applications that declare none; null for the defaults of the specification
/// @param forms limits of what becomes parameters and parts
public record AppChoice(
        boolean dev,
        boolean precompile,
        @Nullable Path logs,
        Duration requestTimeLimit,
        @Nullable Path users,
        List<DatabaseSettings> sources,
        SessionChoice sessions,
        @Nullable Charset encoding,
        Forms forms) {
    /// Limits of forms. Immutable.
    ///
    /// @param maxBytes content of a form
    /// @param parametersMax parameters of a request
    /// @param partsMax parts of multipart content
    public record Forms(int maxBytes, int parametersMax, int partsMax) {
        /// 2 MiB, 1,000 parameters, 50 parts.
        public static final Forms STANDARD = new Forms(2 << 20, 1000, 50);
    }

    /// Copies the list.
    public AppChoice {
        sources = List.copyOf(sources);
    }

    /// Returns what holds without options.
    public static AppChoice standard() {
        return new AppChoice(
                false,
                false,
                UserFolders.state().resolve("logs"),
                Duration.ZERO,
                null,
                List.of(),
                SessionChoice.STANDARD,
                StandardCharsets.UTF_8,
                Forms.STANDARD);
    }
}
