package dev.serval.servlet.app;

import dev.serval.servlet.kept.SessionPlan;
import dev.serval.servlet.log.AppLogs;
import dev.serval.servlet.multipart.MultipartBounds;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.users.Users;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What an embedder has chosen for a container. Immutable.
///
/// @param folder keeps unpacked applications and uploads; several servers may share it
/// @param serverInfo name and version, for `ServletContext.getServerInfo`
/// @param showsFaults whether clients may see why a request failed, for development
/// @param timeLimitMillis how long a request may keep its thread; 0 for any time
/// @param logs of the applications; null for System.Logger
/// @param users who may log in; null for none
/// @param httpsPort to which requests are redirected that need encryption; 0 to refuse them
/// @param pages the JSP engine; null for none
/// @param sources the data sources of applications
/// @param sessions how sessions are kept, unless an application has its own plan
/// @param folderPatience how long folders of sessions are awaited that a predecessor still has; zero
///     for not at all
/// @param encoding the charset of requests and responses for which an application declares none;
///     null for the defaults of the Servlet specification
/// @param parameters limits of parameters and forms
/// @param parts limits of multipart content
/// @param loaded whether the server is so loaded that sessions without a returned id end sooner
public record ContainerSettings(
        Path folder,
        String serverInfo,
        boolean showsFaults,
        long timeLimitMillis,
        @Nullable AppLogs logs,
        @Nullable Users users,
        int httpsPort,
        @Nullable PageEngine pages,
        DeclaredSources sources,
        SessionPlan sessions,
        Duration folderPatience,
        @Nullable String encoding,
        ParameterLimits parameters,
        MultipartBounds parts,
        BooleanSupplier loaded) {}
