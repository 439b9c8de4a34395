package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the elements of a descriptor that declare servlets, filters, listeners and their mappings
/// (Servlet 6.1 §14.4).
final class ComponentElements {
    private static final List<String> SERVLET =
            List.of(
                    "description",
                    "display-name",
                    "icon",
                    "servlet-name",
                    "servlet-class",
                    "jsp-file",
                    "init-param",
                    "load-on-startup",
                    "enabled",
                    "async-supported",
                    "run-as",
                    "security-role-ref",
                    "multipart-config");
    private static final List<String> FILTER =
            List.of(
                    "description",
                    "display-name",
                    "icon",
                    "filter-name",
                    "filter-class",
                    "async-supported",
                    "init-param");

    private final Declarations declared;

    ComponentElements(Declarations declared) {
        this.declared = declared;
    }

    /// Reads an element.
    ///
    /// @return whether it is one of these
    boolean read(XmlElement element) throws DescriptorException {
        switch (element.name()) {
            case "servlet" -> servlet(element);
            case "servlet-mapping" -> servletMapping(element);
            case "filter" -> filter(element);
            case "filter-mapping" -> filterMapping(element);
            case "listener" -> {
                element.allowOnly(List.of("description", "display-name", "icon", "listener-class"));
                XmlElement type = element.required("listener-class");
                declared.listeners.add(new Setting<>(type.value(), type.origin()));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /// Reads a context-param or an init-param. The first of two with one name counts.
    static void param(XmlElement element, Settings<String> params) throws DescriptorException {
        element.allowOnly(List.of("description", "param-name", "param-value"));
        @Nullable String value = element.optional("param-value");
        if (value == null) {
            throw element.error(
                    "<%s> has no <param-value>. Add one, which may be empty."
                            .formatted(element.name()));
        }
        params.add(element.required("param-name").value(), value, element.origin());
    }

    private void servlet(XmlElement element) throws DescriptorException {
        element.allowOnly(SERVLET);
        String name = element.required("servlet-name").value();
        @Nullable DeclaredComponent other = declared.servlets.get(name);
        if (other != null && !other.code.all().isEmpty()) {
            throw twice(element, name, other);
        }
        DeclaredComponent servlet = new DeclaredComponent(name, element.origin());
        if (other != null) {
            servlet.urlPatterns.addAll(other.urlPatterns);
        }
        declared.servlets.put(name, servlet);
        code(element, servlet);
        params(element, servlet);
        loadOnStartup(element, servlet);
        flags(element, servlet);
        roles(element, servlet);
        @Nullable XmlElement multipart = element.child("multipart-config");
        if (multipart != null) {
            servlet.multipart.add(DeclaredComponent.ONLY, multipart(multipart), multipart.origin());
        }
    }

    private static DescriptorException twice(
            XmlElement element, String name, DeclaredComponent other) {
        return element.error(
                "The %s \"%s\" is already declared at %s. Give one of the two another name."
                        .formatted(element.name(), name, other.origin));
    }

    private static void code(XmlElement element, DeclaredComponent servlet)
            throws DescriptorException {
        @Nullable XmlElement type = element.child("servlet-class");
        @Nullable XmlElement jsp = element.child("jsp-file");
        if (type != null && jsp != null) {
            throw element.error(
                    "The servlet \"%s\" has both <servlet-class> and <jsp-file>. Keep one."
                            .formatted(servlet.name));
        }
        if (type != null) {
            String className = element.required("servlet-class").value();
            servlet.code.add(
                    DeclaredComponent.ONLY, new Component.Named(className), element.origin());
        } else if (jsp != null) {
            String path = element.required("jsp-file").value();
            if (!path.startsWith("/")) {
                throw jsp.error(
                        "The jsp-file \"%s\" does not begin with \"/\". Write \"/%s\"."
                                .formatted(path, path));
            }
            servlet.code.add(DeclaredComponent.ONLY, new Component.JspFile(path), element.origin());
        }
    }

    private static void params(XmlElement element, DeclaredComponent component)
            throws DescriptorException {
        for (XmlElement param : element.children("init-param")) {
            param(param, component.initParams);
        }
    }

    private static void loadOnStartup(XmlElement element, DeclaredComponent servlet)
            throws DescriptorException {
        @Nullable XmlElement load = element.child("load-on-startup");
        if (load != null) {
            // The number may be missing, which means the servlet is created at start (§14.4).
            long order =
                    load.value().isEmpty() ? 0 : load.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            servlet.values.add("load-on-startup", Long.toString(order), load.origin());
        }
    }

    private static void flags(XmlElement element, DeclaredComponent component)
            throws DescriptorException {
        for (String name : List.of("enabled", "async-supported")) {
            @Nullable XmlElement flag = element.child(name);
            if (flag != null) {
                component.values.add(name, Boolean.toString(flag.flag()), flag.origin());
            }
        }
    }

    private static void roles(XmlElement element, DeclaredComponent servlet)
            throws DescriptorException {
        @Nullable XmlElement runAs = element.child("run-as");
        if (runAs != null) {
            runAs.allowOnly(List.of("description", "role-name"));
            servlet.values.add("run-as", runAs.required("role-name").value(), runAs.origin());
        }
        for (XmlElement ref : element.children("security-role-ref")) {
            ref.allowOnly(List.of("description", "role-name", "role-link"));
            String role = ref.required("role-name").value();
            @Nullable String link = ref.optional("role-link");
            servlet.roleLinks.add(role, link == null ? role : link, ref.origin());
        }
    }

    private static MultipartLimits multipart(XmlElement element) throws DescriptorException {
        element.allowOnly(
                List.of("location", "max-file-size", "max-request-size", "file-size-threshold"));
        @Nullable String location = element.optional("location");
        return new MultipartLimits(
                location == null ? "" : location,
                number(element, "max-file-size", -1, Long.MAX_VALUE),
                number(element, "max-request-size", -1, Long.MAX_VALUE),
                (int) number(element, "file-size-threshold", 0, Integer.MAX_VALUE));
    }

    /// Returns a number; if it is absent, the least one. A negative number means the least one.
    private static long number(XmlElement element, String name, long absent, long max)
            throws DescriptorException {
        @Nullable XmlElement child = element.child(name);
        return child == null ? absent : Math.max(absent, child.number(Long.MIN_VALUE, max));
    }

    private void servletMapping(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("servlet-name", "url-pattern"));
        DeclaredComponent servlet =
                declared.servlet(element.required("servlet-name").value(), element.origin());
        List<XmlElement> patterns = element.children("url-pattern");
        if (patterns.isEmpty()) {
            throw element.error("<servlet-mapping> has no <url-pattern>. Add one.");
        }
        for (XmlElement pattern : patterns) {
            servlet.urlPatterns.add(new Setting<>(pattern(pattern), pattern.origin()));
        }
    }

    private String pattern(XmlElement element) throws DescriptorException {
        return UrlPattern.of(element, declared);
    }

    private void filter(XmlElement element) throws DescriptorException {
        element.allowOnly(FILTER);
        String name = element.required("filter-name").value();
        @Nullable DeclaredComponent other = declared.filters.get(name);
        if (other != null) {
            throw twice(element, name, other);
        }
        DeclaredComponent filter = declared.filter(name, element.origin());
        if (element.child("filter-class") != null) {
            filter.code.add(
                    DeclaredComponent.ONLY,
                    new Component.Named(element.required("filter-class").value()),
                    element.origin());
        }
        params(element, filter);
        flags(element, filter);
    }

    private void filterMapping(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("filter-name", "url-pattern", "servlet-name", "dispatcher"));
        String filter = element.required("filter-name").value();
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        for (XmlElement dispatcher : element.children("dispatcher")) {
            dispatchers.add(dispatcher(dispatcher));
        }
        int targets = 0;
        for (XmlElement child : element.children()) {
            FilterMapping.@Nullable Target target =
                    switch (child.name()) {
                        case "url-pattern" -> new FilterMapping.Target.Pattern(pattern(child));
                        case "servlet-name" -> new FilterMapping.Target.Servlet(child.value());
                        default -> null;
                    };
            if (target != null) {
                targets++;
                Origin origin = child.origin();
                declared.filterMappings.add(new FilterMapping(filter, target, dispatchers, origin));
            }
        }
        if (targets == 0) {
            throw element.error(
                    "<filter-mapping> has neither <url-pattern> nor <servlet-name>. Add one.");
        }
    }

    private DispatcherType dispatcher(XmlElement element) throws DescriptorException {
        for (DispatcherType type : DispatcherType.values()) {
            if (type.name().equalsIgnoreCase(element.value())) {
                if (!type.name().equals(element.value())) {
                    declared.warn(
                            element,
                            "The dispatcher \"%s\" is taken for %s. Write it so."
                                    .formatted(element.value(), type));
                }
                return type;
            }
        }
        throw element.error(
                ("The dispatcher \"%s\" is not known. "
                                + "Write FORWARD, INCLUDE, REQUEST, ASYNC or ERROR.")
                        .formatted(element.value()));
    }
}
