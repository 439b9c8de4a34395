package dev.serval.command;

import dev.serval.backend.LrwpChoice;
import dev.serval.backend.NeighbourMount;
import dev.serval.file.FileOptions;
import dev.serval.servlet.database.DatabaseSettings;
import java.net.SocketAddress;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The checked options of `serval run`. Immutable.
///
/// @param mounts empty for the welcome page
/// @param neighbours servers and applications behind mounts
/// @param addresses at least one
/// @param files how folders are served
/// @param contentMaxBytes the most content of one request
/// @param transport `auto`, `nio` or `epoll`
/// @param loops the number of event loops; 0 for one per processor
/// @param dev whether clients may see why an application failed
/// @param precompile whether JSP pages are compiled when their application is started
/// @param appLogs the folder for logs of applications; null if they print to the standard streams
/// @param requestTimeLimit of applications; zero for none
/// @param users the file of users who may log in to applications; null for none
/// @param sources data sources for every application
/// @param sessions how applications keep sessions
/// @param encoding of applications that declare none; null for the defaults of the specification
/// @param lrwp applications that dial in
/// @param demo whether a demo dials in
public record RunOptions(
        List<Mount> mounts,
        List<NeighbourMount> neighbours,
        List<SocketAddress> addresses,
        FileOptions files,
        long contentMaxBytes,
        String transport,
        int loops,
        boolean dev,
        boolean precompile,
        @Nullable Path appLogs,
        Duration requestTimeLimit,
        @Nullable Path users,
        List<DatabaseSettings> sources,
        SessionChoice sessions,
        @Nullable Charset encoding,
        LrwpChoice lrwp,
        boolean demo) {
    /// Copies the lists.
    public RunOptions {
        mounts = List.copyOf(mounts);
        neighbours = List.copyOf(neighbours);
        addresses = List.copyOf(addresses);
        sources = List.copyOf(sources);
    }
}
