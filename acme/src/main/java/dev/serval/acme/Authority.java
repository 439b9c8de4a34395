package dev.serval.acme;

import java.net.URI;
import java.net.http.HttpClient;
import javax.net.ssl.SSLContext;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/// Connects to an authority whose own certificate is not from one that the JDK knows. The library
/// requires this superclass.
final class Authority extends GenericAcmeProvider {
    private final SSLContext trust;

    Authority(SSLContext trust) {
        this.trust = trust;
    }

    @Override
    public boolean accepts(URI directory) {
        return "https".equals(directory.getScheme());
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
        return HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(settings.getTimeout())
                .proxy(settings.getProxySelector())
                .sslContext(trust)
                .build();
    }
}
