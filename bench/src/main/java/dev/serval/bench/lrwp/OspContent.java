package dev.serval.bench.lrwp;

import dev.serval.bench.peer.Resources;

/// The messages of the paper's load, in the sizes that a real client sends: an authorisation of
/// about 0.9 kB and a usage report of about 2.1 kB.
final class OspContent {

    private OspContent() {}

    static String authorization() {
        return Resources.text(OspContent.class, "authorization.xml");
    }

    /// Returns a usage report.
    ///
    /// @param role `source` or `destination`
    static String usage(String role) {
        return Resources.text(OspContent.class, "usage.xml").replace("${role}", role);
    }
}
