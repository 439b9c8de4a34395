package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A server of the system that serves the document root. Its configuration is a resource of this
/// package.
///
/// If root starts nginx or h2o, they would change to an account whose name depends on the
/// distribution. They stay root, since they only read files made for them.
public final class SystemPeer implements Peer {

    static final Path HTTPD_MODULES = Path.of("/usr/lib/apache2/modules");

    private final String name;
    private final Software software;
    private final String resource;
    private final Map<String, String> values;
    private final boolean everyCpu;

    private SystemPeer(
            String name,
            Software software,
            String resource,
            Map<String, String> values,
            boolean everyCpu) {
        this.name = name;
        this.software = software;
        this.resource = resource;
        this.values = values;
        this.everyCpu = everyCpu;
    }

    /// Returns nginx with one worker and its file cache on. Small files are cheaper without sendfile
    /// (and tcp_nopush, which depends on it), so both settings are measured.
    public static SystemPeer nginx(String name, boolean sendfile) {
        Map<String, String> values = Map.of("sendfile", sendfile ? "on" : "off");
        return new SystemPeer(name, Software.NGINX, "nginx.conf", values, false);
    }

    /// Returns nginx with the limits of our server: one worker for each CPU, and the same number of
    /// connections, timeouts, head sizes and number of ranges. Four buffers of 8 KiB hold a head of
    /// 32 KiB. A missing file is not logged, because our server does not log it either.
    public static SystemPeer boundedNginx() {
        return new SystemPeer("nginx", Software.NGINX, "nginx-bounded.conf", Map.of(), true);
    }

    /// Returns Apache httpd with the event module. It has one process, because it gets one CPU. That
    /// process has as many threads as sixteen processes have by default. With fewer threads than
    /// connections it closes kept connections under load, and clients count these as errors.
    public static SystemPeer httpd() {
        Map<String, String> values = Map.of("modules", HTTPD_MODULES.toString());
        return new SystemPeer("httpd", Software.HTTPD, "httpd.conf", values, false);
    }

    /// Returns h2o with one thread, over HTTP/1.1.
    public static SystemPeer h2o() {
        boolean root = System.getProperty("user.name").equals("root");
        Map<String, String> values = Map.of("user", root ? "user: root" : "");
        return new SystemPeer("h2o", Software.H2O, "h2o.yaml", values, false);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public String version() {
        return software.version();
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Map<String, String> all = new HashMap<>(values);
        all.put("port", String.valueOf(port));
        all.put("root", stage.site().root().toString());
        all.put("workers", String.valueOf(stage.cpus().all().size()));
        List<String> command = software.command(stage.folderFor(name), resource, all);
        Cpus cpus = stage.cpus();
        return stage.launch(name, port, everyCpu ? cpus.anywhere(command) : cpus.onServer(command));
    }
}
