package dev.serval.conformance.tck;

import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/// Registers Serval's container with Arquillian, which finds this class by its service file.
public final class ServalExtension implements LoadableExtension {
    @Override
    public void register(ExtensionBuilder builder) {
        builder.service(DeployableContainer.class, ServalContainer.class);
    }
}
