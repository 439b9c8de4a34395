package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The injections and lifecycle methods of one class. Those of superclasses come first (Jakarta
/// Annotations 3.0 §2.1, §2.5, §2.6). Immutable.
///
/// @param steps values and their receivers, in order
/// @param postConstruct methods to call after injection, in order
/// @param preDestroy methods to call before an instance is released, in order
record ClassPlan(List<Step> steps, List<Method> postConstruct, List<Method> preDestroy) {
    /// The injection of one value.
    ///
    /// @param into the receiver
    /// @param name the name of the value
    /// @param lookup the name that has the value if `name` has none; null if not declared
    /// @param origin where it was declared
    record Step(Injection into, String name, @Nullable String lookup, Origin origin) {}

    /// Makes the plan of a class.
    ///
    /// @throws DescriptorException if a member cannot have its annotation
    static ClassPlan of(Class<?> type, Environment environment) throws DescriptorException {
        List<Class<?>> line = new ArrayList<>();
        for (@Nullable Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            line.addFirst(c);
        }
        Builder builder = new Builder(type, environment);
        for (Class<?> declaring : line) {
            builder.add(declaring);
        }
        return new ClassPlan(
                List.copyOf(builder.steps),
                List.copyOf(builder.postConstruct),
                List.copyOf(builder.preDestroy));
    }

    private static final class Builder {
        private final Class<?> type;
        private final Environment environment;
        private final List<Step> steps = new ArrayList<>();
        private final List<Method> postConstruct = new ArrayList<>();
        private final List<Method> preDestroy = new ArrayList<>();

        Builder(Class<?> type, Environment environment) {
            this.type = type;
            this.environment = environment;
        }

        void add(Class<?> declaring) throws DescriptorException {
            List<Step> declared = new ArrayList<>();
            addTargets(declaring, declared);
            if (environment.annotations()) {
                addAnnotated(declaring, declared);
            }
            steps.addAll(declared);
            addCall(postConstruct, declaring, environment.postConstruct(), PostConstruct.class);
            addCall(preDestroy, declaring, environment.preDestroy(), PreDestroy.class);
        }

        private void addTargets(Class<?> declaring, List<Step> declared)
                throws DescriptorException {
            for (EnvEntry entry : environment.entries()) {
                if (entry.value() != null || entry.lookup() != null) {
                    addTargets(declaring, entry.targets(), entry.name(), entry.origin(), declared);
                }
            }
            for (ResourceRef reference : environment.references()) {
                addTargets(
                        declaring,
                        reference.targets(),
                        reference.name(),
                        reference.origin(),
                        declared);
            }
        }

        private void addTargets(
                Class<?> declaring,
                List<InjectionTarget> targets,
                String name,
                Origin origin,
                List<Step> declared)
                throws DescriptorException {
            for (InjectionTarget target : targets) {
                if (!target.className().equals(declaring.getName())) {
                    continue;
                }
                @Nullable Injection into = Injection.find(declaring, target.member());
                if (into == null) {
                    throw new DescriptorException(
                            origin,
                            "The class "
                                    + declaring.getName()
                                    + " has neither a setter nor a field \""
                                    + target.member()
                                    + "\". Correct the <injection-target> of \""
                                    + name
                                    + "\".");
                }
                declared.add(checked(new Step(into, name, null, origin)));
            }
        }

        private void addAnnotated(Class<?> declaring, List<Step> declared)
                throws DescriptorException {
            for (Field field : declaring.getDeclaredFields()) {
                @Nullable Resource resource = field.getAnnotation(Resource.class);
                if (resource != null) {
                    addAnnotated(new Injection.IntoField(field), resource, declared);
                }
            }
            for (Method method : declaring.getDeclaredMethods()) {
                @Nullable Resource resource = method.getAnnotation(Resource.class);
                if (resource == null || method.isBridge() || isOverridden(method)) {
                    continue;
                }
                if (method.getParameterCount() != 1) {
                    throw new DescriptorException(
                            Origin.code("class " + declaring.getName()),
                            "@Resource annotates "
                                    + method.getName()
                                    + "(), which is not a setter. Give it one parameter.");
                }
                addAnnotated(new Injection.IntoSetter(method), resource, declared);
            }
        }

        private static void addAnnotated(Injection into, Resource resource, List<Step> declared)
                throws DescriptorException {
            for (Step other : declared) {
                if (other.into().equals(into)) {
                    return; // web.xml decides
                }
            }
            Origin origin = Origin.code("@Resource of " + into.text());
            @Nullable String lookup = resource.lookup().isEmpty() ? null : resource.lookup();
            checked(new Step(into, "", lookup, origin));
            String name = resource.name().isEmpty() ? into.impliedName() : resource.name();
            declared.add(new Step(into, name, lookup, origin));
        }

        private static Step checked(Step step) throws DescriptorException {
            @Nullable String fault = step.into().fault();
            if (fault != null) {
                throw new DescriptorException(
                        step.origin(),
                        step.into().text()
                                + " cannot receive a value, because it "
                                + fault
                                + ". Change it or remove the injection.");
            }
            return step;
        }

        private void addCall(
                List<Method> calls,
                Class<?> declaring,
                List<LifecycleCall> declared,
                Class<? extends Annotation> annotation)
                throws DescriptorException {
            for (LifecycleCall call : declared) {
                if (call.className().equals(declaring.getName())) {
                    addNamedCall(calls, declaring, call);
                    return; // web.xml decides
                }
            }
            if (environment.annotations()) {
                addAnnotatedCall(calls, declaring, annotation);
            }
        }

        private void addNamedCall(List<Method> calls, Class<?> declaring, LifecycleCall call)
                throws DescriptorException {
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.getName().equals(call.method()) && method.getParameterCount() == 0) {
                    addCall(calls, method, call.origin());
                    return;
                }
            }
            throw new DescriptorException(
                    call.origin(),
                    "The class "
                            + declaring.getName()
                            + " has no method "
                            + call.method()
                            + "(). Correct its name.");
        }

        private void addAnnotatedCall(
                List<Method> calls, Class<?> declaring, Class<? extends Annotation> annotation)
                throws DescriptorException {
            Origin origin = Origin.code("class " + declaring.getName());
            boolean found = false;
            for (Method method : declaring.getDeclaredMethods()) {
                if (!method.isAnnotationPresent(annotation) || method.isBridge()) {
                    continue;
                }
                if (found) {
                    throw new DescriptorException(
                            origin,
                            "Two methods have @"
                                    + annotation.getSimpleName()
                                    + ". Leave it at one of them.");
                }
                found = true;
                addCall(calls, method, origin);
            }
        }

        private void addCall(List<Method> calls, Method method, Origin origin)
                throws DescriptorException {
            boolean shaped =
                    method.getParameterCount() == 0
                            && method.getReturnType() == void.class
                            && method.getExceptionTypes().length == 0
                            && !Modifier.isStatic(method.getModifiers());
            if (!shaped) {
                throw new DescriptorException(
                        origin,
                        "The lifecycle method "
                                + method.getName()
                                + "() must be void "
                                + method.getName()
                                + "(), not static and without checked exceptions. Change it.");
            }
            if (!isOverridden(method)) {
                calls.add(method);
            }
        }

        /// Returns whether a subclass replaces the method, and with it the annotations.
        private boolean isOverridden(Method method) {
            int modifiers = method.getModifiers();
            if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
                return false;
            }
            boolean everywhere = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
            Class<?> declaring = method.getDeclaringClass();
            for (Class<?> c = type; c != declaring; c = c.getSuperclass()) {
                boolean visible =
                        everywhere || c.getPackageName().equals(declaring.getPackageName());
                if (visible && declares(c, method)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean declares(Class<?> c, Method method) {
            for (Method other : c.getDeclaredMethods()) {
                if (other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                    return true;
                }
            }
            return false;
        }
    }
}
