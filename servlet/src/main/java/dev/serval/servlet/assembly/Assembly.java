package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.AppOptions;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ErrorPage;
import dev.serval.servlet.descriptor.FilterDraft;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.DeclaredComponent;
import dev.serval.servlet.webxml.Layers;
import dev.serval.servlet.webxml.Setting;
import dev.serval.servlet.webxml.Settings;
import jakarta.servlet.SessionTrackingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Puts the declarations of all sources together to one draft (Servlet 6.1 §8.2.3): web.xml over
/// fragments over annotations. Each method is one rule of that section.
final class Assembly {
    private final Layers<Declarations> layers;
    private final AppDraft draft = new AppDraft();

    private Assembly(Layers<Declarations> layers) {
        this.layers = layers;
    }

    /// Returns the draft of an application.
    ///
    /// @throws DescriptorException if two fragments contradict each other, or two servlets have one
    ///     pattern
    static AppDraft of(Layers<Declarations> layers) throws DescriptorException {
        Assembly assembly = new Assembly(layers);
        assembly.servlets();
        assembly.filters();
        assembly.listeners();
        assembly.simpleParts();
        assembly.options();
        NamingMerge.merge(layers.map(declared -> declared.naming), assembly.draft);
        SecurityMerge.merge(layers, assembly.draft);
        return assembly.draft;
    }

    private void servlets() throws DescriptorException {
        for (Layers<DeclaredComponent> parts : byName(declared -> declared.servlets)) {
            DeclaredComponent first = first(parts);
            String what = "of the servlet \"" + first.name + "\" the ";
            ServletDraft servlet = draft.servlet(first.name, first.origin);
            @Nullable Setting<Component> code =
                    Settings.merge(what + "class", parts.map(part -> part.code))
                            .get(DeclaredComponent.ONLY);
            if (code != null) {
                servlet.component(code.value(), code.origin());
            }
            Settings.merge(what + "init-param", parts.map(part -> part.initParams))
                    .copyTo(servlet.initParams());
            Settings.merge(what + "role", parts.map(part -> part.roleLinks))
                    .copyTo(servlet.roleLinks());
            @Nullable MultipartLimits multipart =
                    Settings.merge(what + "multipart-config", parts.map(part -> part.multipart))
                            .value(DeclaredComponent.ONLY);
            if (multipart != null) {
                servlet.multipart(multipart);
            }
            values(servlet, Settings.merge(what + "element", parts.map(part -> part.values)));
            map(servlet, parts);
        }
    }

    /// Returns the parts of each component, in the order of declaration.
    private List<Layers<DeclaredComponent>> byName(
            Function<Declarations, Map<String, DeclaredComponent>> components) {
        Layers<Map<String, DeclaredComponent>> maps = layers.map(components);
        Set<String> names = new LinkedHashSet<>();
        maps.all().forEach(map -> names.addAll(map.keySet()));
        List<Layers<DeclaredComponent>> all = new ArrayList<>();
        for (String name : names) {
            all.add(
                    maps.map(map -> {
                        @Nullable DeclaredComponent part = map.get(name);
                        return part == null
                                ? new DeclaredComponent(name, layers.web().head.origin())
                                : part;
                    }));
        }
        return all;
    }

    /// Returns the part that declares the component, else one that mentions it.
    private static DeclaredComponent first(Layers<DeclaredComponent> parts) {
        for (DeclaredComponent part : parts.all()) {
            if (part.component() != null) {
                return part;
            }
        }
        for (DeclaredComponent part : parts.all()) {
            if (part.origin.line() > 0) {
                return part;
            }
        }
        return parts.web();
    }

    private static void values(ServletDraft servlet, Settings<String> values) {
        @Nullable String load = values.value("load-on-startup");
        if (load != null) {
            servlet.loadOnStartup(Math.max(-1, Integer.parseInt(load)));
        }
        @Nullable String async = values.value("async-supported");
        servlet.asyncSupported(Boolean.parseBoolean(async));
        @Nullable String enabled = values.value("enabled");
        servlet.enabled(enabled == null || enabled.equals("true"));
        @Nullable String runAs = values.value("run-as");
        if (runAs != null) {
            servlet.runAs(runAs);
        }
    }

    /// Mappings of web.xml replace those of fragments, which add up; mappings of descriptors
    /// replace those of annotations.
    private void map(ServletDraft servlet, Layers<DeclaredComponent> parts)
            throws DescriptorException {
        List<Setting<String>> patterns = new ArrayList<>(parts.web().urlPatterns);
        if (patterns.isEmpty()) {
            parts.fragments().forEach(fragment -> patterns.addAll(fragment.urlPatterns));
        }
        if (patterns.isEmpty()) {
            parts.annotations().forEach(annotated -> patterns.addAll(annotated.urlPatterns));
            requirePattern(servlet, parts, patterns);
        }
        for (Setting<String> pattern : patterns) {
            @Nullable String other = draft.map(pattern.value(), servlet);
            if (other != null) {
                throw new DescriptorException(
                        pattern.origin(),
                        ("The url-pattern \"%s\" of the servlet \"%s\" already belongs to \"%s\". "
                                        + "Map it once.")
                                .formatted(pattern.value(), servlet.name(), other));
            }
        }
    }

    /// A servlet that only an annotation declares has to have a pattern (Servlet 6.1 §8.1.1).
    private static void requirePattern(
            ServletDraft servlet, Layers<DeclaredComponent> parts, List<Setting<String>> patterns)
            throws DescriptorException {
        for (DeclaredComponent annotated : parts.annotations()) {
            if (patterns.isEmpty() && annotated.component() != null) {
                throw new DescriptorException(
                        annotated.origin,
                        "@WebServlet of \"%s\" has no urlPatterns. Add one, or a <servlet-mapping>."
                                .formatted(servlet.name()));
            }
        }
    }

    private void filters() throws DescriptorException {
        for (Layers<DeclaredComponent> parts : byName(declared -> declared.filters)) {
            DeclaredComponent first = first(parts);
            String what = "of the filter \"" + first.name + "\" the ";
            FilterDraft filter = draft.filter(first.name, first.origin);
            @Nullable Setting<Component> code =
                    Settings.merge(what + "class", parts.map(part -> part.code))
                            .get(DeclaredComponent.ONLY);
            if (code != null) {
                filter.component(code.value(), code.origin());
            }
            Settings.merge(what + "init-param", parts.map(part -> part.initParams))
                    .copyTo(filter.initParams());
            @Nullable String async =
                    Settings.merge(what + "element", parts.map(part -> part.values))
                            .value("async-supported");
            filter.asyncSupported(Boolean.parseBoolean(async));
        }
        Set<String> decided = new HashSet<>();
        decided.addAll(addMappings(List.of(layers.web()), decided));
        decided.addAll(addMappings(layers.fragments(), decided));
        addMappings(layers.annotations(), decided);
    }

    /// Adds the mappings of filters that no source of higher rank maps.
    ///
    /// @return the filters that were mapped
    private Set<String> addMappings(List<Declarations> sources, Set<String> decided) {
        Set<String> mapped = new HashSet<>();
        for (Declarations declared : sources) {
            for (FilterMapping mapping : declared.filterMappings) {
                if (!decided.contains(mapping.filter())) {
                    // A filter that is not declared yet is found missing when the draft is frozen.
                    draft.filter(mapping.filter(), mapping.origin());
                    draft.filterMappings().add(mapping);
                    mapped.add(mapping.filter());
                }
            }
        }
        return mapped;
    }

    /// Listeners of one class are one listener.
    private void listeners() {
        Set<String> classes = new HashSet<>();
        for (Declarations declared : layers.all()) {
            for (Setting<String> listener : declared.listeners) {
                if (classes.add(listener.value())) {
                    draft.listeners()
                            .add(
                                    new ListenerDescription(
                                            new Component.Named(listener.value()),
                                            listener.origin()));
                }
            }
        }
    }

    private void simpleParts() throws DescriptorException {
        Settings.merge("context-param", layers.map(declared -> declared.contextParams))
                .copyTo(draft.contextParams());
        Settings.merge("mime-mapping", layers.map(declared -> declared.mediaTypes))
                .copyTo(draft.mediaTypes());
        Settings.merge("locale-encoding-mapping", layers.map(part -> part.localeEncodings))
                .copyTo(draft.localeEncodings());
        for (Declarations declared : layers.all()) {
            draft.welcomeFiles().addAll(declared.welcomeFiles);
            if (declared.welcomeList) {
                draft.options().welcomeList(true);
            }
        }
        Settings.merge("error-page", layers.map(declared -> declared.errorPages))
                .all()
                .forEach((key, page) -> draft.errorPages().add(errorPage(key, page)));
    }

    private static ErrorPage errorPage(String key, Setting<String> page) {
        boolean isCode = !key.isEmpty() && Character.isDigit(key.charAt(0));
        return new ErrorPage(
                isCode ? Integer.parseInt(key) : 0,
                isCode || key.isEmpty() ? null : key,
                page.value(),
                page.origin());
    }

    private void options() throws DescriptorException {
        AppOptions options = draft.options();
        Declarations web = layers.web();
        options.version(web.head.version().major(), web.head.version().minor());
        options.metadataComplete(web.head.complete());
        options.displayName(text(web.values.value("display-name")));
        options.moduleName(text(web.values.value("module-name")));
        options.requestEncoding(web.values.value("request-character-encoding"));
        options.responseEncoding(web.values.value("response-character-encoding"));
        @Nullable String path = web.values.value("default-context-path");
        if (path != null) {
            options.defaultContextPath(path);
        }
        options.distributable(
                isDistributable(web)
                        && layers.fragments().stream().allMatch(Assembly::isDistributable));
        Settings<String> values = Settings.merge("the element", layers.map(Assembly::withoutNames));
        @Nullable String timeout = values.value("session-timeout");
        if (timeout != null) {
            options.sessionTimeoutMinutes(Integer.parseInt(timeout));
        }
        @Nullable String cookieName = values.value("cookie-name");
        if (cookieName != null) {
            options.cookieName(cookieName);
        }
        @Nullable String tracking = values.value("tracking-mode");
        if (tracking != null) {
            for (String mode : tracking.split(",", -1)) {
                options.tracking().add(SessionTrackingMode.valueOf(mode));
            }
        }
        values.all()
                .forEach((name, setting) -> {
                    if (name.startsWith("cookie:")) {
                        draft.cookieAttributes()
                                .put(name.substring("cookie:".length()), setting.value());
                    }
                });
    }

    private static boolean isDistributable(Declarations declared) {
        return declared.values.get("distributable") != null;
    }

    /// Returns the values but those that count in web.xml only.
    private static Settings<String> withoutNames(Declarations declared) {
        Settings<String> values = new Settings<>();
        Set<String> dropped = Set.of("display-name", "distributable");
        declared.values
                .all()
                .forEach((name, setting) -> {
                    if (!dropped.contains(name)) {
                        values.add(name, setting.value(), setting.origin());
                    }
                });
        return values;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
