package dev.serval.servlet.inject;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Creates the servlets, filters, listeners and handlers of one application: loads the class,
/// creates the instance, injects values and calls its lifecycle methods (Servlet 6.1 §15.5). Any
/// thread may call it; it calls application code on that thread.
public final class ComponentFactory {
    private final ClassLoader loader;
    private final Environment environment;
    private final AppNaming naming;
    private final System.Logger log;
    private final @Nullable Function<String, ?> pages;
    private final Map<Class<?>, ClassPlan> plans =
            new ConcurrentHashMap<>(); // ends with the loader

    /// Creates the factory of an application.
    ///
    /// @param loader the application's class loader
    /// @param environment what its descriptors declare for injection
    /// @param naming its names and their values
    /// @param log the application's log
    public ComponentFactory(
            ClassLoader loader, Environment environment, AppNaming naming, System.Logger log) {
        this(loader, environment, naming, log, null);
    }

    /// Creates the factory of an application that may have pages.
    ///
    /// @param pages makes the servlet of a JSP file from its path; null without a JSP engine
    public ComponentFactory(
            ClassLoader loader,
            Environment environment,
            AppNaming naming,
            System.Logger log,
            @Nullable Function<String, ?> pages) {
        this.pages = pages;
        this.loader = loader;
        this.environment = environment;
        this.naming = naming;
        this.log = log;
    }

    /// Returns the class of a component, without initialising it.
    ///
    /// @param type the type that the class must have
    /// @param origin where the component was declared
    /// @throws DescriptorException if the class is missing, incomplete or of another type
    public <T> Class<? extends T> load(Component component, Class<T> type, Origin origin)
            throws DescriptorException {
        Class<?> found =
                switch (component) {
                    case Component.Named(String name) -> find(name, origin);
                    case Component.OfClass(Class<?> given) -> given;
                    case Component.Instance(Object instance) -> instance.getClass();
                    case Component.JspFile(String path) ->
                            throw new DescriptorException(
                                    origin,
                                    "The servlet is the JSP file "
                                            + path
                                            + ", and this server has no JSP engine. Add the module"
                                            + " serval-jsp, or compile the file to a class and name"
                                            + " that.");
                };
        if (!type.isAssignableFrom(found)) {
            throw new DescriptorException(
                    origin,
                    "The class "
                            + found.getName()
                            + " is not a "
                            + type.getName()
                            + ". "
                            + remedyOfType(found, type));
        }
        return found.asSubclass(type);
    }

    /// Returns the instance of a component: a new one with its values injected, or the one that
    /// code registered, unchanged.
    ///
    /// @throws DescriptorException if it cannot be created; the message says why
    public <T> T create(Component component, Class<T> type, Origin origin)
            throws DescriptorException {
        if (pages != null && component instanceof Component.JspFile(String path)) {
            return type.cast(pages.apply(path));
        }
        Class<? extends T> found = load(component, type, origin);
        if (component instanceof Component.Instance(Object instance)) {
            return type.cast(instance);
        }
        return create(found, origin);
    }

    /// Creates an instance of a class, injects its values and calls its @PostConstruct methods.
    ///
    /// @throws DescriptorException if it cannot be created; the message says why
    public <T> T create(Class<T> type, Origin origin) throws DescriptorException {
        ClassPlan plan = plan(type, origin);
        T instance = construct(type, origin);
        begin(instance, plan, origin);
        return instance;
    }

    /// Injects values into an instance that other code has created, and calls its @PostConstruct
    /// methods.
    ///
    /// @throws DescriptorException if that fails; the message says why
    public void begin(Object instance, Origin origin) throws DescriptorException {
        begin(instance, plan(instance.getClass(), origin), origin);
    }

    private void begin(Object instance, ClassPlan plan, Origin origin) throws DescriptorException {
        for (ClassPlan.Step step : plan.steps()) {
            inject(instance, step);
        }
        for (Method method : plan.postConstruct()) {
            try {
                call(method, instance);
            } catch (InvocationTargetException | IllegalAccessException failed) {
                throw failure(origin, "@PostConstruct " + text(method), failed);
            }
        }
    }

    /// Calls the @PreDestroy methods of an instance that this factory created. A method that throws
    /// is logged, and the others are still called.
    public void destroy(Object instance) {
        @Nullable ClassPlan plan = plans.get(instance.getClass());
        if (plan == null) {
            return;
        }
        for (Method method : plan.preDestroy()) {
            try {
                call(method, instance);
            } catch (InvocationTargetException | IllegalAccessException failed) {
                log.log(
                        WARNING,
                        "@PreDestroy " + text(method) + " failed. The instance is released anyway.",
                        cause(failed));
            }
        }
    }

    private Class<?> find(String name, Origin origin) throws DescriptorException {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException missing) {
            throw new DescriptorException(
                    origin,
                    "The class "
                            + name
                            + " is missing. Add it to WEB-INF/classes or a jar in WEB-INF/lib, or"
                            + " correct its name.",
                    missing);
        } catch (LinkageError broken) {
            throw new DescriptorException(origin, linkage(name, broken), broken);
        }
    }

    private ClassPlan plan(Class<?> type, Origin origin) throws DescriptorException {
        @Nullable ClassPlan plan = plans.get(type);
        if (plan == null) {
            try {
                plan = ClassPlan.of(type, environment);
            } catch (LinkageError broken) {
                throw new DescriptorException(origin, linkage(type.getName(), broken), broken);
            }
            plans.put(type, plan);
        }
        return plan;
    }

    private static <T> T construct(Class<T> type, Origin origin) throws DescriptorException {
        String name = type.getName();
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new DescriptorException(
                    origin, "The class " + name + " is abstract. Name a class that extends it.");
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            throw new DescriptorException(
                    origin, "The class " + name + " is an inner class. Make it static.");
        }
        try {
            Constructor<T> constructor = type.getConstructor();
            constructor.trySetAccessible();
            return constructor.newInstance();
        } catch (NoSuchMethodException none) {
            throw new DescriptorException(
                    origin,
                    "The class " + name + " has no public constructor without parameters. Add one.",
                    none);
        } catch (IllegalAccessException | InstantiationException closed) {
            throw new DescriptorException(
                    origin,
                    "The class "
                            + name
                            + " cannot be created by reflection. Make it public, and open its"
                            + " package if it is in a module.",
                    closed);
        } catch (InvocationTargetException threw) {
            throw failure(origin, "The constructor of " + name, threw);
        } catch (LinkageError broken) {
            throw new DescriptorException(origin, linkage(name, broken), broken);
        }
    }

    private void inject(Object instance, ClassPlan.Step step) throws DescriptorException {
        @Nullable Object value = value(step);
        if (value == null) {
            return;
        }
        Injection into = step.into();
        if (!EnvValues.boxed(into.type()).isInstance(value)) {
            throw new DescriptorException(
                    step.origin(),
                    "The value of \""
                            + step.name()
                            + "\" is a "
                            + value.getClass().getName()
                            + ", but "
                            + into.text()
                            + " takes a "
                            + into.type().getName()
                            + ". Change one of the types.");
        }
        try {
            into.into(instance, value);
        } catch (InvocationTargetException | IllegalAccessException failed) {
            throw failure(step.origin(), "The injection into " + into.text(), failed);
        }
    }

    /// Returns the value of a step; null for a simple entry without a value, which keeps the value
    /// that its class sets.
    private @Nullable Object value(ClassPlan.Step step) throws DescriptorException {
        @Nullable Object declared = naming.lookup(step.name());
        if (declared != null) {
            return declared;
        }
        @Nullable String lookup = step.lookup();
        @Nullable Object found = lookup == null ? null : naming.lookup(lookup);
        boolean optional =
                lookup == null && EnvValues.isSimple(EnvValues.boxed(step.into().type()));
        if (found != null || optional) {
            return found;
        }
        throw new DescriptorException(
                step.origin(),
                "The name \""
                        + (lookup == null ? step.name() : lookup)
                        + "\" has no value of type "
                        + step.into().type().getName()
                        + " for "
                        + step.into().text()
                        + ". Declare it in web.xml.");
    }

    private static void call(Method method, Object instance)
            throws InvocationTargetException, IllegalAccessException {
        method.trySetAccessible();
        method.invoke(instance);
    }

    private static String remedyOfType(Class<?> found, Class<?> type) {
        for (Class<?> c = found; c != null; c = c.getSuperclass()) {
            for (Class<?> implemented : c.getInterfaces()) {
                if (implemented.getName().startsWith("javax.servlet.")) {
                    return "It uses the old javax.servlet API: use a version for jakarta.servlet.";
                }
                if (implemented.getName().equals(type.getName())) {
                    return "The application contains the Servlet API: remove that jar from"
                            + " WEB-INF/lib.";
                }
            }
        }
        return "Implement it, or name another class.";
    }

    private static String linkage(String name, LinkageError broken) {
        if (broken instanceof ExceptionInInitializerError && broken.getCause() != null) {
            return "The static initialiser of "
                    + name
                    + " threw "
                    + broken.getCause()
                    + ". Correct the class.";
        }
        return "The class " + name + " cannot be linked: " + reason(broken);
    }

    /// Returns what the class loader says about the missing class, if it says something.
    private static String reason(LinkageError broken) {
        @Nullable Throwable cause = broken.getCause();
        if (cause instanceof ClassNotFoundException && cause.getMessage() != null) {
            return cause.getMessage() + ".";
        }
        return broken instanceof NoClassDefFoundError || broken.getMessage() == null
                ? broken + ". Add the class that it needs to WEB-INF/lib."
                : broken.getMessage() + ".";
    }

    private static DescriptorException failure(
            Origin origin, String what, ReflectiveOperationException failed) {
        Throwable cause = cause(failed);
        return new DescriptorException(
                origin, what + " failed: " + cause + ". Correct the class.", cause);
    }

    private static Throwable cause(ReflectiveOperationException failed) {
        @Nullable Throwable cause = failed.getCause();
        return failed instanceof InvocationTargetException && cause != null ? cause : failed;
    }

    private static String text(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }
}
