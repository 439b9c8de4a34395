package dev.serval.bench.lrwp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The messages of the paper's load, in the sizes that a real client sends: an authorisation of
/// about 0.9 kB and a usage report of about 2.1 kB.
final class OspContent {

    private OspContent() {}

    static String authorization() throws IOException {
        return text("authorization.xml");
    }

    /// Returns a usage report.
    ///
    /// @param role `source` or `destination`
    static String usage(String role) throws IOException {
        return text("usage.xml").replace("${role}", role);
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = OspContent.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
