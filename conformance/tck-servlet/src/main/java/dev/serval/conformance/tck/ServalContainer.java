package dev.serval.conformance.tck;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.container.LifecycleException;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jspecify.annotations.Nullable;

/// Lets Arquillian start one [TckServer] and deploy archives in it.
///
/// Arquillian creates one object for each container of `arquillian.xml` and calls it by one thread:
/// `setup`, `start`, pairs of `deploy` and `undeploy`, `stop`.
public final class ServalContainer implements DeployableContainer<ServalContainerConfiguration> {
    private static final String SUFFIX = ".war";
    private static final String ROOT = "ROOT";

    private final Map<String, Path> archives = new HashMap<>();
    private @Nullable TckServer server;
    private @Nullable InetSocketAddress address;
    private @Nullable Path folder;

    @Override
    public Class<ServalContainerConfiguration> getConfigurationClass() {
        return ServalContainerConfiguration.class;
    }

    @Override
    public void setup(ServalContainerConfiguration configuration) {
        server = configuration.create();
    }

    @Override
    public void start() throws LifecycleException {
        try {
            folder = Files.createTempDirectory("serval-tck");
            address = server().start();
        } catch (Exception e) {
            throw new LifecycleException("The server under test did not start: " + e, e);
        }
    }

    @Override
    public void stop() throws LifecycleException {
        try {
            server().stop();
            for (Path archive : archives.values()) {
                Files.deleteIfExists(archive);
            }
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (Exception e) {
            throw new LifecycleException("The server under test did not stop: " + e, e);
        }
    }

    /// Names the protocol of tests that run inside the client only. The suite has no others.
    @Override
    public ProtocolDescription getDefaultProtocol() {
        return new ProtocolDescription("Local");
    }

    @Override
    public ProtocolMetaData deploy(Archive<?> archive) throws DeploymentException {
        String contextPath = contextPath(archive.getName());
        try {
            Path war = export(archive);
            archives.put(contextPath, war);
            server().deploy(war, contextPath);
        } catch (Exception e) {
            delete(contextPath);
            throw new DeploymentException(
                    archive.getName() + " cannot be deployed at \"" + contextPath + "\": " + e, e);
        }
        return metadata(contextPath);
    }

    @Override
    public void undeploy(Archive<?> archive) throws DeploymentException {
        String contextPath = contextPath(archive.getName());
        if (!archives.containsKey(contextPath)) {
            return; // Arquillian also removes what it could not deploy.
        }
        try {
            server().undeploy(contextPath);
        } catch (Exception e) {
            throw new DeploymentException(
                    "The application at \"" + contextPath + "\" cannot be removed: " + e, e);
        } finally {
            delete(contextPath);
        }
    }

    /// Returns the context path that an archive is mounted at: its name, or the root for `ROOT`.
    static String contextPath(String archiveName) {
        String name =
                archiveName.endsWith(SUFFIX)
                        ? archiveName.substring(0, archiveName.length() - SUFFIX.length())
                        : archiveName;
        return name.equals(ROOT) ? "" : "/" + name;
    }

    private Path export(Archive<?> archive) throws IOException {
        if (folder == null) {
            throw new IllegalStateException("start() has not been called.");
        }
        Path war = folder.resolve(archive.getName());
        archive.as(ZipExporter.class).exportTo(war.toFile(), true);
        return war;
    }

    private void delete(String contextPath) throws DeploymentException {
        Path war = archives.remove(contextPath);
        try {
            if (war != null) {
                Files.deleteIfExists(war);
            }
        } catch (IOException e) {
            throw new DeploymentException(war + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    /// Describes where the application answers. The suite takes host, port and context path from it.
    private ProtocolMetaData metadata(String contextPath) {
        if (address == null) {
            throw new IllegalStateException("start() has not been called.");
        }
        HTTPContext http = new HTTPContext(address.getHostString(), address.getPort());
        http.add(new Servlet("application", contextPath));
        return new ProtocolMetaData().addContext(http);
    }

    private TckServer server() {
        if (server == null) {
            throw new IllegalStateException("setup() has not been called.");
        }
        return server;
    }
}
