package dev.serval.bench.container;

import dev.serval.bench.bare.Listener;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.accesslog.AccessLogHandler;
import io.undertow.server.handlers.accesslog.DefaultAccessLogReceiver;
import io.undertow.server.handlers.cache.DirectBufferCache;
import io.undertow.server.handlers.resource.CachingResourceManager;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.util.Headers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EventListener;
import java.util.Set;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.xnio.Options;

/// Undertow, as a program. Its arguments are an exploded WAR, a port, a work folder,
/// a setting, a file for the access log or `-`, and those of a [Listener].
///
/// Undertow 2.3 implements Servlet 6.0, which has all that the application uses. Embedded, it neither
/// scans annotations nor reads `web.xml`, so its parts are registered by code ([DeclaredApp]).
///
/// The settings follow the entry in TechEmpower's benchmarks (`HelloWebServer`): threads chosen by
/// Undertow from the number of CPUs, and no `Connection: keep-alive` where HTTP/1.1 implies it. That
/// setting also leaves the field out for clients of HTTP/1.0, which wait for it: they get it from a
/// handler. Static files are cached in memory, as WildFly does for deployments.
///
/// For slow requests, the setting `threads` has a worker thread for each connection, and `virtual`
/// runs servlets on an executor of virtual threads.
final class UndertowServer {
    private static final int BACKLOG = 1024;
    private static final int SLOW_THREADS = 2000;
    private static final int CACHED_FILES = 100;
    private static final int CACHED_FILE_BYTES = 1 << 20;
    private static final int CACHE_BYTES = 10 << 20;
    private static final int SLICE_BYTES = 1024;
    private static final int SLICES_PER_PAGE = 1024;

    private UndertowServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]).toAbsolutePath();
        DirectBufferCache cache = new DirectBufferCache(SLICE_BYTES, SLICES_PER_PAGE, CACHE_BYTES);
        DeclaredApp declared = DeclaredApp.of(folder);
        DeploymentInfo application =
                Servlets.deployment()
                        .setClassLoader(declared.loader())
                        .setContextPath("/")
                        .setDeploymentName("bench")
                        .setResourceManager(
                                new CachingResourceManager(
                                        CACHED_FILES,
                                        CACHED_FILE_BYTES,
                                        cache,
                                        new PathResourceManager(folder),
                                        CachingResourceManager.MAX_AGE_NO_EXPIRY));
        if (arguments[3].equals("virtual")) {
            application.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        }
        application.setTempDir(Files.createDirectories(Path.of(arguments[2])).toFile());
        register(declared, application);
        DeploymentManager deployed = Servlets.defaultContainer().addDeployment(application);
        deployed.deploy();
        Undertow.Builder builder = Undertow.builder();
        if (arguments[3].equals("threads")) {
            builder.setWorkerThreads(SLOW_THREADS);
        }
        Listener listener = Listener.of(arguments, 5);
        int port = Integer.parseInt(arguments[1]);
        if (listener.tls()) {
            builder.addHttpsListener(port, "127.0.0.1", listener.context());
        } else {
            builder.addHttpListener(port, "127.0.0.1");
        }
        builder.setServerOption(UndertowOptions.ENABLE_HTTP2, listener.hasStreams())
                .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                .setSocketOption(Options.BACKLOG, BACKLOG)
                .setHandler(keeping(logging(deployed.start(), arguments[4])))
                .build()
                .start();
    }

    private static void register(DeclaredApp declared, DeploymentInfo application)
            throws ClassNotFoundException {
        for (DeclaredApp.Part<Servlet> servlet : declared.servlets()) {
            ServletInfo info =
                    Servlets.servlet(servlet.name(), servlet.type())
                            .addMappings(servlet.patterns())
                            .setAsyncSupported(servlet.async());
            servlet.parameters().forEach(info::addInitParam);
            application.addServlet(info);
        }
        for (DeclaredApp.Part<Filter> filter : declared.filters()) {
            application.addFilter(Servlets.filter(filter.name(), filter.type()));
            for (String pattern : filter.patterns()) {
                application.addFilterUrlMapping(filter.name(), pattern, DispatcherType.REQUEST);
            }
        }
        for (Class<? extends EventListener> listener : declared.listeners()) {
            application.addListener(Servlets.listener(listener));
        }
        declared.errorPages()
                .forEach((status, page) -> application.addErrorPage(new ErrorPage(page, status)));
        @Nullable Class<? extends ServletContainerInitializer> pages = declared.pagesStart();
        if (pages != null) {
            application.addServletContainerInitializer(
                    new ServletContainerInitializerInfo(pages, Set.of()));
        }
    }

    /// Tells a client of HTTP/1.0, such as ab, that its connection is kept.
    private static HttpHandler keeping(HttpHandler handler) {
        return exchange -> {
            if (exchange.isHttp10() && exchange.isPersistent()) {
                exchange.getResponseHeaders().put(Headers.CONNECTION, "keep-alive");
            }
            handler.handleRequest(exchange);
        };
    }

    /// Adds an access log to a handler. The receiver writes from a thread of its own, many lines at a
    /// time.
    private static HttpHandler logging(HttpHandler handler, String file) {
        if (file.equals("-")) {
            return handler;
        }
        Path log = Path.of(file).toAbsolutePath();
        DefaultAccessLogReceiver receiver =
                DefaultAccessLogReceiver.builder()
                        .setLogWriteExecutor(Executors.newSingleThreadExecutor())
                        .setOutputDirectory(log.getParent())
                        .setLogBaseName(String.valueOf(log.getFileName()))
                        .setLogNameSuffix("")
                        .setRotate(false)
                        .build();
        return new AccessLogHandler(
                handler, receiver, "common", UndertowServer.class.getClassLoader());
    }
}
