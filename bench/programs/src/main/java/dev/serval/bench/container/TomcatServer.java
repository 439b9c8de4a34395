package dev.serval.bench.container;

import dev.serval.bench.bare.Listener;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Valve;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// Tomcat with its NIO connector, as a program. Its arguments are a WAR or an exploded one, a port, a
/// work folder, a setting, a file for the access log or `-`, and those of a [Listener]. Tomcat unpacks
/// a WAR into its work folder, and keeps it there.
///
/// The settings come from Tomcat's "HTTP Connector" reference:
///
/// - 200 threads and 1 acceptor, which are the defaults and its advice.
/// - `maxKeepAliveRequests` -1 and `keepAliveTimeout` -1: connections stay open, as all peers keep
///   them.
/// - `processorCache` -1: the advice for asynchronous requests is one processor for each
///   concurrent request.
/// - `acceptCount` 1024, so that 300 connections at once are not refused.
/// - `maxConnections` 20,000, more than the idle ones of a cell; the default is 8,192.
/// - An access log only if the suite asks for one, with the valve's defaults: it writes from a
///   buffer.
/// - JSP pages are compiled once and not checked again, as "Jasper 2 JSP Engine How To" advises for
///   production.
///
/// For slow requests, the setting `threads` has a thread for each connection, and `virtual` has
/// `useVirtualThreads`. Another setting is the name of a file `SETTING.xml` beside the work folder
/// that configures the application, such as where its sessions are kept. Then the server stops as
/// Tomcat's launcher stops it.
final class TomcatServer {
    private TomcatServer() {}

    /// Serves until the process is ended.
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]).toAbsolutePath();
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(Integer.parseInt(arguments[1]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", arguments[3].equals("threads") ? "2000" : "200");
        connector.setProperty("useVirtualThreads", String.valueOf(arguments[3].equals("virtual")));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", "-1");
        connector.setProperty("processorCache", "-1");
        connector.setProperty("acceptCount", "1024");
        connector.setProperty("maxConnections", "20000");
        listen(connector, Listener.of(arguments, 5));
        Tomcat tomcat = new Tomcat();
        Path work = Path.of(arguments[2]).toAbsolutePath();
        Files.createDirectories(work.resolve("webapps"));
        tomcat.setBaseDir(work.toString());
        tomcat.setConnector(connector);
        if (!arguments[4].equals("-")) {
            tomcat.getHost().getPipeline().addValve(accessLog(Path.of(arguments[4])));
        }
        Context application = tomcat.addWebapp("", folder.toString());
        if (application.getJarScanner() instanceof StandardJarScanner scanner) {
            // The application is in WEB-INF only. The class path holds the server.
            scanner.setScanClassPath(false);
        }
        application.addLifecycleListener(TomcatServer::prepareForProduction);
        Path configuration = work.resolveSibling(arguments[3] + ".xml");
        if (Files.exists(configuration)) {
            tomcat.enableNaming();
            application.setConfigFile(configuration.toUri().toURL());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(tomcat), "stop"));
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void listen(Connector connector, Listener listener) {
        if (listener.hasStreams()) {
            connector.addUpgradeProtocol(new Http2Protocol());
        }
        if (listener.tls()) {
            SSLHostConfig host = new SSLHostConfig();
            SSLHostConfigCertificate certificate =
                    new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
            certificate.setCertificateKeystoreFile(listener.store().toString());
            certificate.setCertificateKeystoreType("PKCS12");
            certificate.setCertificateKeystorePassword(Listener.PASSPHRASE);
            host.addCertificate(certificate);
            connector.addSslHostConfig(host);
            connector.setProperty("SSLEnabled", "true");
            connector.setScheme("https");
            connector.setSecure(true);
        }
    }

    private static void stop(Tomcat tomcat) {
        try {
            tomcat.stop();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Valve accessLog(Path file) {
        AccessLogValve log = new AccessLogValve();
        log.setDirectory(String.valueOf(file.toAbsolutePath().getParent()));
        log.setPrefix(String.valueOf(file.getFileName()));
        log.setSuffix("");
        log.setFileDateFormat("");
        log.setRotatable(false);
        log.setPattern("common");
        Runtime.getRuntime().addShutdownHook(new Thread(log::backgroundProcess, "flush-log"));
        return log;
    }

    /// Sets the parameter of the servlet for JSP, which exists after Tomcat has read its defaults.
    private static void prepareForProduction(LifecycleEvent event) {
        if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)
                && event.getSource() instanceof Context application
                && application.findChild("jsp") instanceof Wrapper pages) {
            pages.addInitParameter("development", "false");
        }
    }
}
