package dev.serval.bench.servlet;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// Tomcat with its NIO connector, as a program. Its arguments are an exploded WAR, a port and
/// a work folder.
///
/// The settings come from Tomcat's "HTTP Connector" reference:
///
/// - 200 threads and 1 acceptor, which are the defaults and its advice.
/// - `maxKeepAliveRequests` -1 and `keepAliveTimeout` -1: connections stay open, as all peers keep
///   them.
/// - `processorCache` -1: the advice for asynchronous requests is one processor for each
///   concurrent request.
/// - `acceptCount` 1024, so that 300 connections at once are not refused.
/// - No access log.
final class TomcatServer {
    private TomcatServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]).toAbsolutePath();
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(Integer.parseInt(arguments[1]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "200");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", "-1");
        connector.setProperty("processorCache", "-1");
        connector.setProperty("acceptCount", "1024");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createDirectories(Path.of(arguments[2])).toString());
        tomcat.setConnector(connector);
        Context application = tomcat.addWebapp("", folder.toString());
        if (application.getJarScanner() instanceof StandardJarScanner scanner) {
            // The application is in WEB-INF only. The class path holds the server.
            scanner.setScanClassPath(false);
        }
        tomcat.start();
        tomcat.getServer().await();
    }
}
