package dev.serval.jsp;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import java.lang.reflect.InvocationTargetException;
import org.apache.tomcat.InstanceManager;

/// Creates the pages and tag handlers of one application for Jasper. Tag handlers of the
/// application get injected values (Servlet 6.1 §15.5); compiled pages and tag files do not. Any
/// thread.
///
/// @param app the application
record TagInstances(PageSetup app) implements InstanceManager {
    @Override
    public Object newInstance(Class<?> type)
            throws InstantiationException,
                    IllegalAccessException,
                    InvocationTargetException,
                    NoSuchMethodException {
        Object instance = type.getConstructor().newInstance();
        newInstance(instance);
        return instance;
    }

    @Override
    public Object newInstance(String className)
            throws InstantiationException,
                    IllegalAccessException,
                    InvocationTargetException,
                    NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(className, app.loader());
    }

    @Override
    public Object newInstance(String className, ClassLoader loader)
            throws InstantiationException,
                    IllegalAccessException,
                    InvocationTargetException,
                    NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(loader.loadClass(className));
    }

    @Override
    public void newInstance(Object instance) throws InvocationTargetException {
        if (isInjected(instance)) {
            try {
                app.components().begin(instance);
            } catch (PageException e) {
                throw new InvocationTargetException(e, e.getMessage());
            }
        }
    }

    @Override
    public void destroyInstance(Object instance) {
        if (isInjected(instance)) {
            app.components().end(instance);
        }
    }

    private boolean isInjected(Object instance) {
        return app.loader().equals(instance.getClass().getClassLoader());
    }
}
