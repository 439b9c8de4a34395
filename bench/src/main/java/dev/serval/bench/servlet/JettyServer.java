package dev.serval.bench.servlet;

import java.nio.file.Path;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/// Jetty with its EE 11 environment, as a program. Its arguments are an exploded WAR, a port and
/// a work folder.
///
/// The settings follow the Jetty project's own entry in TechEmpower's benchmarks
/// (`HelloWebServerServlet`): a `Server` with the default pool of 200 threads, and acceptors and
/// selectors chosen by Jetty from the number of CPUs. Beyond it, idle connections stay open, as all
/// peers keep them, and the queue of accepted connections holds 1024.
final class JettyServer {
    private static final int ACCEPT_QUEUE = 1024;

    private JettyServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[1]));
        connector.setIdleTimeout(0);
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        server.addConnector(connector);
        WebAppContext application = new WebAppContext();
        application.setContextPath("/");
        application.setWar(Path.of(arguments[0]).toAbsolutePath().toString());
        application.setTempDirectory(Path.of(arguments[2]).toAbsolutePath().toFile());
        application.setThrowUnavailableOnStartupException(true);
        server.setHandler(application);
        server.start();
        server.join();
    }
}
