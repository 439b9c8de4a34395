package dev.serval.conformance.tck;

import com.sun.ts.lib.porting.TSURLInterface;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;

/// Tells the Pages suite how the addresses of the server look: as the suite writes them. The suite
/// finds it by a system property.
public final class PlainUrls implements TSURLInterface {
    @Override
    public URL getURL(String protocol, String host, int port, String file)
            throws MalformedURLException {
        return URI.create(getURLString(protocol, host, port, file)).toURL();
    }

    @Override
    public String getURLString(String protocol, String host, int port, String file) {
        return protocol + "://" + host + ":" + port + (file.startsWith("/") ? file : "/" + file);
    }

    @Override
    public String getRequest(String request) {
        return request;
    }
}
