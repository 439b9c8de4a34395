/// A library for applications that dial in to a web server by LRWP, the Long Running Web Process
/// protocol. Start with `dev.serval.lrwp.peer.LrwpPeer`.
module dev.serval.lrwp.peer {
    requires jdk.net; // how soon TCP keep-alive probes
    requires static transitive org.jspecify;

    exports dev.serval.lrwp.peer;
}
