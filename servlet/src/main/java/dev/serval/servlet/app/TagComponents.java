package dev.serval.servlet.app;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.pages.PageComponents;
import dev.serval.servlet.pages.PageException;

/// Injects values into the tag handlers of an application.
///
/// @param components of the application
record TagComponents(ComponentFactory components) implements PageComponents {
    @Override
    public void begin(Object instance) throws PageException {
        try {
            components.begin(instance, Origin.code("class " + instance.getClass().getName()));
        } catch (DescriptorException e) {
            throw new PageException(e.getMessage() == null ? "" : e.getMessage(), e);
        }
    }

    @Override
    public void end(Object instance) {
        components.destroy(instance);
    }
}
