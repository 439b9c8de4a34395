package dev.serval.conformance.tck;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/// The server under test, with one port for the whole run.
///
/// An implementation has a public constructor without parameters, which acquires nothing;
/// `arquillian.xml` names its class.
/// Order of calls: `start`, any number of `deploy` and `undeploy`, `stop`. One thread makes all
/// calls.
public interface TckServer {
    /// Starts the server without an application and returns the address that it listens on.
    ///
    /// @throws Exception if the server cannot start
    InetSocketAddress start() throws Exception;

    /// Deploys an archive and returns when the application answers requests.
    ///
    /// @param war the archive, which stays in place until `undeploy` has returned
    /// @param contextPath empty for the root context, otherwise with a leading slash
    /// @throws Exception if the application cannot start; negative tests of the suite expect it
    void deploy(Path war, String contextPath) throws Exception;

    /// Removes an application and everything that belongs to it.
    ///
    /// @throws Exception if the application cannot be removed
    void undeploy(String contextPath) throws Exception;

    /// Stops the server.
    ///
    /// @throws Exception if the server does not end in order
    void stop() throws Exception;
}
