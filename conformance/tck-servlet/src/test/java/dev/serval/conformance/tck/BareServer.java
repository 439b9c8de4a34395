package dev.serval.conformance.tck;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Stands in for Serval in the tests of the adapter: answers with the files of the archives, and 404
/// for everything else. Refuses an archive that has the file `WEB-INF/refused`.
public final class BareServer implements TckServer {
    private final Map<String, Path> wars = new ConcurrentHashMap<>();
    private @Nullable HttpServer server;

    @Override
    public InetSocketAddress start() throws IOException {
        HttpServer started =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started.createContext("/", this::answer);
        started.start();
        server = started;
        return new InetSocketAddress("localhost", started.getAddress().getPort());
    }

    @Override
    public void deploy(Path war, String contextPath) throws IOException {
        if (file(war, "WEB-INF/refused") != null) {
            throw new IOException("the application refuses to start");
        }
        wars.put(contextPath, war);
    }

    @Override
    public void undeploy(String contextPath) {
        if (wars.remove(contextPath) == null) {
            throw new IllegalArgumentException(contextPath + " is not deployed");
        }
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = null;
        for (Map.Entry<String, Path> mounted : wars.entrySet()) {
            if (path.startsWith(mounted.getKey() + "/")) {
                body = file(mounted.getValue(), path.substring(mounted.getKey().length() + 1));
            }
        }
        byte[] sent = body == null ? new byte[0] : body;
        exchange.sendResponseHeaders(body == null ? 404 : 200, sent.length == 0 ? -1 : sent.length);
        exchange.getResponseBody().write(sent);
        exchange.close();
    }

    private static byte @Nullable [] file(Path war, String name) throws IOException {
        try (ZipFile zip = new ZipFile(war.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }
}
