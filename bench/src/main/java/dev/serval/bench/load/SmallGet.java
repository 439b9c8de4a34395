package dev.serval.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// One GET on a connection of its own, with the JDK's client.
///
/// @param status of the answer
/// @param content of it; empty where the status is not 200
record SmallGet(int status, byte[] content) {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// Asks the server at this port of the loopback address.
    static SmallGet of(int port, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpURLConnection connection =
                (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        try {
            int status = connection.getResponseCode();
            if (status != 200) {
                return new SmallGet(status, new byte[0]);
            }
            try (InputStream in = connection.getInputStream()) {
                return new SmallGet(status, in.readAllBytes());
            }
        } finally {
            connection.disconnect();
        }
    }
}
