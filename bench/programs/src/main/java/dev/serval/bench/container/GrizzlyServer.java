package dev.serval.bench.container;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.StaticHttpHandler;
import org.glassfish.grizzly.http.server.accesslog.AccessLogBuilder;
import org.glassfish.grizzly.http.server.util.HttpPipelineOptAddOn;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.servlet.ServletRegistration;
import org.glassfish.grizzly.servlet.WebappContext;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.grizzly.threadpool.VirtualThreadExecutorService;
import org.jspecify.annotations.Nullable;

/// Grizzly with its servlet module, as a program. Its arguments are an exploded WAR, a port, a
/// work folder, a setting, and a file for the access log or `-`.
///
/// Grizzly neither reads WARs nor scans annotations, so the parts of the application are registered by
/// code ([DeclaredApp]), and a static handler serves the files beside them. It has no pages for
/// statuses, and no servlet for the root alone.
///
/// The settings follow the entry in TechEmpower's benchmarks (`Server`): two selector threads for
/// each CPU that also run the requests, without a pool of workers, pooled memory, and connections
/// that stay open. That entry also has the add-on for pipelining. With it, Grizzly 5.0.2 closes the
/// connection of a `Connection: close` request without the servlet's answer, so the add-on is on
/// only if the fourth argument is `pipelining`. The cache of files stays on, because the scenario
/// requests a static file.
///
/// For slow requests, the setting `threads` has a pool of workers with a thread for each
/// connection, and `virtual` has Grizzly's pool of virtual threads.
final class GrizzlyServer {
    private static final int BACKLOG = 1024;
    private static final int SLOW_THREADS = 2000;

    /// The Common Log Format, for which Grizzly has another order of the date.
    private static final String COMMON_LOG = "%a - %u [%{dd/MMM/yyyy:HH:mm:ss Z}t] \"%r\" %s %b";

    private GrizzlyServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        NetworkListener listener =
                new NetworkListener("http", "127.0.0.1", Integer.parseInt(arguments[1]));
        TCPNIOTransport transport = listener.getTransport();
        switch (arguments[3]) {
            case "threads" ->
                    transport.setWorkerThreadPoolConfig(
                            ThreadPoolConfig.defaultConfig()
                                    .setCorePoolSize(SLOW_THREADS)
                                    .setMaxPoolSize(SLOW_THREADS));
            case "virtual" ->
                    transport.setWorkerThreadPool(VirtualThreadExecutorService.createInstance());
            default -> transport.setWorkerThreadPoolConfig(null);
        }
        transport.setSelectorRunnersCount(Runtime.getRuntime().availableProcessors() * 2);
        transport.setMemoryManager(new PooledMemoryManager());
        transport.setServerConnectionBackLog(BACKLOG);
        listener.getKeepAlive().setIdleTimeoutInSeconds(-1);
        listener.getKeepAlive().setMaxRequestsCount(-1);
        listener.setTransactionTimeout(-1);
        if (arguments[3].equals("pipelining")) {
            listener.registerAddOn(new HttpPipelineOptAddOn());
        }
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new StaticHttpHandler(arguments[0]), "/");
        if (!arguments[4].equals("-")) {
            new AccessLogBuilder(arguments[4])
                    .format(COMMON_LOG)
                    .instrument(server.getServerConfiguration());
        }
        DeclaredApp declared = DeclaredApp.of(Path.of(arguments[0]));
        Thread.currentThread().setContextClassLoader(declared.loader()); // also of later threads
        WebappContext application = application(declared, Path.of(arguments[0]));
        application.setAttribute(
                ServletContext.TEMPDIR, Files.createDirectories(Path.of(arguments[2])).toFile());
        application.deploy(server);
        server.start();
        new CountDownLatch(1).await();
    }

    private static WebappContext application(DeclaredApp declared, Path folder)
            throws ReflectiveOperationException, ServletException {
        WebappContext application =
                new WebappContext("bench", "", folder.toString()) {
                    @Override
                    public ClassLoader
                            getClassLoader() { // which Jasper asks for, and Grizzly has none
                        return declared.loader();
                    }
                };
        for (DeclaredApp.Part<Servlet> servlet : declared.servlets()) {
            ServletRegistration registered = application.addServlet(servlet.name(), servlet.type());
            for (String pattern : servlet.patterns()) {
                if (!pattern.isEmpty()) {
                    registered.addMapping(pattern);
                }
            }
            registered.setAsyncSupported(servlet.async());
            registered.setInitParameters(servlet.parameters());
        }
        for (DeclaredApp.Part<Filter> filter : declared.filters()) {
            application
                    .addFilter(filter.name(), filter.type())
                    .addMappingForUrlPatterns(
                            EnumSet.of(DispatcherType.REQUEST),
                            false,
                            filter.patterns().toArray(String[]::new));
        }
        for (Class<? extends EventListener> listener : declared.listeners()) {
            application.addListener(listener);
        }
        @Nullable Class<? extends ServletContainerInitializer> pages = declared.pagesStart();
        if (pages != null) {
            pages.getConstructor().newInstance().onStartup(Set.of(), application);
        }
        return application;
    }
}
