package dev.serval.bench.container;

import dev.serval.bench.bare.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.AsyncRequestLogWriter;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.eclipse.jetty.xml.XmlConfiguration;

/// Jetty with its EE 11 environment, as a program. Its arguments are an exploded WAR, a port, a
/// work folder, a setting, a file for the access log or `-`, and those of a [Listener].
///
/// The settings follow the Jetty project's own entry in TechEmpower's benchmarks
/// (`HelloWebServerServlet`): a `Server` with the default pool of 200 threads, and acceptors and
/// selectors chosen by Jetty from the number of CPUs. Beyond it, idle connections stay open, as all
/// peers keep them, and the queue of accepted connections holds 1024.
///
/// For slow requests, the setting `threads` has a pool with a thread for each connection, and
/// `virtual` has Jetty's `VirtualThreadPool`, as its operations guide describes them. Another setting
/// is the name of a file `SETTING.xml` beside the work folder that configures the server, such as
/// where sessions are kept. Then the server stops at a signal as Jetty's launcher stops it.
final class JettyServer {
    private static final int ACCEPT_QUEUE = 1024;
    private static final int SLOW_THREADS = 2000;

    /// The threads of the pool that Jetty itself needs.
    private static final int OWN_THREADS = 16;

    private JettyServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(pool(arguments[3]));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector =
                new ServerConnector(server, factories(Listener.of(arguments, 5), http));
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[1]));
        connector.setIdleTimeout(0);
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        server.addConnector(connector);
        if (!arguments[4].equals("-")) {
            server.setRequestLog(
                    new CustomRequestLog(
                            new AsyncRequestLogWriter(arguments[4]), CustomRequestLog.NCSA_FORMAT));
        }
        WebAppContext application = new WebAppContext();
        application.setContextPath("/");
        application.setWar(Path.of(arguments[0]).toAbsolutePath().toString());
        Path work = Path.of(arguments[2]).toAbsolutePath();
        application.setTempDirectory(work.toFile());
        application.setThrowUnavailableOnStartupException(true);
        if (DeclaredApp.hasPages()) { // in place of Jetty's own servlet, which is in another jar
            application
                    .addServlet("org.apache.jasper.servlet.JspServlet", "*.jsp")
                    .setInitParameters(DeclaredApp.PAGES_PARAMETERS);
        }
        server.setHandler(application);
        Path configuration = work.resolveSibling(arguments[3] + ".xml");
        if (Files.exists(configuration)) {
            new XmlConfiguration(ResourceFactory.of(server).newResource(configuration))
                    .configure(server);
            server.setStopAtShutdown(true);
        }
        server.start();
        server.join();
    }

    /// Returns what accepts connections, the first of which is the default.
    private static ConnectionFactory[] factories(Listener listener, HttpConfiguration http)
            throws IOException, GeneralSecurityException {
        ConnectionFactory plain = new HttpConnectionFactory(http);
        if (!listener.hasStreams()) {
            return new ConnectionFactory[] {plain};
        }
        if (!listener.tls()) {
            return new ConnectionFactory[] {plain, new HTTP2CServerConnectionFactory(http)};
        }
        http.addCustomizer(new SecureRequestCustomizer(false)); // clients ask an address
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(plain.getProtocol());
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setSslContext(listener.context());
        return new ConnectionFactory[] {
            new SslConnectionFactory(keys, alpn.getProtocol()),
            alpn,
            new HTTP2ServerConnectionFactory(http),
            plain,
        };
    }

    private static ThreadPool pool(String setting) {
        return switch (setting) {
            case "virtual" -> {
                VirtualThreadPool pool = new VirtualThreadPool();
                pool.setMaxConcurrentTasks(-1);
                yield pool;
            }
            case "threads" -> new QueuedThreadPool(SLOW_THREADS + OWN_THREADS);
            default -> new QueuedThreadPool();
        };
    }
}
