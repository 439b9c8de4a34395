package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.SecurityDescription.Rule;
import dev.serval.servlet.descriptor.SecurityDescription.ServletRules;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.scan.AnnotationFacts;
import dev.serval.servlet.scan.ClassFacts;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.DeclaredComponent;
import dev.serval.servlet.webxml.Setting;
import dev.serval.servlet.webxml.UrlPattern;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the annotations of classes into declarations (Servlet 6.1 §8.1, §15.5).
final class AnnotatedComponents {
    private static final String SERVLET = "jakarta.servlet.annotation.";

    private AnnotatedComponents() {}

    /// Adds what the annotations of a class declare by themselves: a servlet, a filter, a listener,
    /// data sources, and roles.
    ///
    /// @throws DescriptorException if an annotation is wrong
    static void add(ClassFacts facts, Declarations declared) throws DescriptorException {
        @Nullable AnnotationFacts servlet = facts.annotation(SERVLET + "WebServlet");
        @Nullable AnnotationFacts filter = facts.annotation(SERVLET + "WebFilter");
        @Nullable AnnotationFacts listener = facts.annotation(SERVLET + "WebListener");
        boolean isComponent = servlet != null || filter != null || listener != null;
        if (isComponent && facts.isIncomplete()) {
            throw new DescriptorException(
                    origin(facts),
                    "The annotated class is abstract. Remove the annotation, or make it concrete.");
        }
        if (servlet != null) {
            servlet(facts, servlet, declared);
        }
        if (filter != null) {
            filter(facts, filter, declared);
        }
        if (listener != null) {
            declared.listeners.add(new Setting<>(facts.name(), origin(facts)));
        }
        AnnotatedSources.add(facts, declared);
        @Nullable AnnotationFacts roles =
                facts.annotation("jakarta.annotation.security.DeclareRoles");
        if (roles != null) {
            declared.security.roles.addAll(roles.texts("value"));
        }
    }

    /// Returns the place of a class's annotations.
    static Origin origin(ClassFacts facts) {
        return new Origin("class " + facts.name(), 0, 0);
    }

    private static void servlet(ClassFacts facts, AnnotationFacts annotation, Declarations declared)
            throws DescriptorException {
        String name = annotation.text("name", "");
        if (name.isEmpty()) {
            name = facts.name();
        }
        Origin origin = origin(facts);
        DeclaredComponent servlet = declared.servlet(name, origin);
        requireNew("servlet", servlet, facts);
        servlet.code.add(DeclaredComponent.ONLY, new Component.Named(facts.name()), origin);
        for (String pattern : patterns(facts, annotation)) {
            servlet.urlPatterns.add(new Setting<>(UrlPattern.check(pattern, origin), origin));
        }
        params(annotation, servlet);
        @Nullable String load = annotation.text("loadOnStartup");
        if (load != null) {
            servlet.values.add("load-on-startup", load, origin);
        }
    }

    private static void requireNew(String kind, DeclaredComponent component, ClassFacts facts)
            throws DescriptorException {
        if (!component.code.all().isEmpty()) {
            throw new DescriptorException(
                    origin(facts),
                    "The %s \"%s\" is also the name of %s. Give one of the two another name."
                            .formatted(kind, component.name, component.origin));
        }
    }

    /// Returns the elements `value` or `urlPatterns`, not both (Servlet 6.1 §8.1.1).
    private static List<String> patterns(ClassFacts facts, AnnotationFacts annotation)
            throws DescriptorException {
        List<String> value = annotation.texts("value");
        List<String> patterns = annotation.texts("urlPatterns");
        if (!value.isEmpty() && !patterns.isEmpty()) {
            throw new DescriptorException(
                    origin(facts), "The annotation has both value and urlPatterns. Keep one.");
        }
        return value.isEmpty() ? patterns : value;
    }

    private static void params(AnnotationFacts annotation, DeclaredComponent component) {
        for (AnnotationFacts param : annotation.annotations("initParams")) {
            component.initParams.add(
                    param.text("name", ""), param.text("value", ""), component.origin);
        }
        @Nullable String async = annotation.text("asyncSupported");
        if (async != null) {
            component.values.add("async-supported", async, component.origin);
        }
    }

    private static void filter(ClassFacts facts, AnnotationFacts annotation, Declarations declared)
            throws DescriptorException {
        String name = annotation.text("filterName", "");
        if (name.isEmpty()) {
            name = facts.name();
        }
        Origin origin = origin(facts);
        DeclaredComponent filter = declared.filter(name, origin);
        requireNew("filter", filter, facts);
        filter.code.add(DeclaredComponent.ONLY, new Component.Named(facts.name()), origin);
        params(annotation, filter);
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        for (DispatcherType type : DispatcherType.values()) {
            if (annotation.texts("dispatcherTypes").contains(type.name())) {
                dispatchers.add(type);
            }
        }
        for (String pattern : patterns(facts, annotation)) {
            FilterMapping.Target target =
                    new FilterMapping.Target.Pattern(UrlPattern.check(pattern, origin));
            declared.filterMappings.add(new FilterMapping(name, target, dispatchers, origin));
        }
        for (String servlet : annotation.texts("servletNames")) {
            FilterMapping.Target target = new FilterMapping.Target.Servlet(servlet);
            declared.filterMappings.add(new FilterMapping(name, target, dispatchers, origin));
        }
    }

    /// Returns the limits of `@MultipartConfig`; null if the class has none.
    static @Nullable MultipartLimits multipart(ClassFacts facts) {
        @Nullable AnnotationFacts annotation = facts.annotation(SERVLET + "MultipartConfig");
        if (annotation == null) {
            return null;
        }
        return new MultipartLimits(
                annotation.text("location", ""),
                Math.max(-1, Long.parseLong(annotation.text("maxFileSize", "-1"))),
                Math.max(-1, Long.parseLong(annotation.text("maxRequestSize", "-1"))),
                Math.max(0, Integer.parseInt(annotation.text("fileSizeThreshold", "0"))));
    }

    /// Returns the role of `@RunAs`; null if the class has none.
    static @Nullable String runAs(ClassFacts facts) {
        @Nullable AnnotationFacts annotation =
                facts.annotation("jakarta.annotation.security.RunAs");
        return annotation == null ? null : annotation.text("value");
    }

    /// Returns the rules of `@ServletSecurity`; null if the class has none.
    ///
    /// @throws DescriptorException if a method has two rules
    static @Nullable ServletRules rules(ClassFacts facts) throws DescriptorException {
        @Nullable AnnotationFacts annotation = facts.annotation(SERVLET + "ServletSecurity");
        if (annotation == null) {
            return null;
        }
        List<AnnotationFacts> value = new ArrayList<>(annotation.annotations("value"));
        Rule others =
                value.isEmpty()
                        ? new Rule(Set.of(), false, Transport.NONE)
                        : rule(value.getFirst(), "value");
        Map<String, Rule> byMethod = new LinkedHashMap<>();
        for (AnnotationFacts method : annotation.annotations("httpMethodConstraints")) {
            String name = method.text("value", "");
            if (name.isEmpty() || byMethod.put(name, rule(method, "emptyRoleSemantic")) != null) {
                throw new DescriptorException(
                        origin(facts),
                        "@ServletSecurity has no or two rules for the method \"%s\". Keep one."
                                .formatted(name));
            }
        }
        return new ServletRules(others, byMethod);
    }

    private static Rule rule(AnnotationFacts constraint, String denyElement) {
        boolean confidential = constraint.text("transportGuarantee", "NONE").equals("CONFIDENTIAL");
        return new Rule(
                new LinkedHashSet<>(constraint.texts("rolesAllowed")),
                constraint.text(denyElement, "PERMIT").equals("DENY"),
                confidential ? Transport.CONFIDENTIAL : Transport.NONE);
    }
}
