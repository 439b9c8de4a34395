package dev.serval.conformance.tck;

import org.jboss.arquillian.container.spi.ConfigurationException;
import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;
import org.jspecify.annotations.Nullable;

/// The settings of one container in `arquillian.xml`. Arquillian calls the setters once, before
/// `validate`.
public final class ServalContainerConfiguration implements ContainerConfiguration {
    private @Nullable String server;

    /// Sets the name of the class that implements [TckServer].
    public void setServer(String server) {
        this.server = server;
    }

    @Override
    public void validate() {
        create();
    }

    /// Creates a server of the configured class.
    ///
    /// @throws ConfigurationException if no class is named, or it cannot be used
    TckServer create() {
        if (server == null) {
            throw new ConfigurationException(
                    "arquillian.xml has no property \"server\": name a class that implements "
                            + TckServer.class.getName()
                            + ".");
        }
        try {
            return Class.forName(server).asSubclass(TckServer.class).getConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new ConfigurationException(
                    "Property \"server\" of arquillian.xml names "
                            + server
                            + ", which is no "
                            + TckServer.class.getName()
                            + " with a public constructor without parameters: "
                            + e,
                    e);
        }
    }
}
