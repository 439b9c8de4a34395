package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.NamingDescription;
import dev.serval.servlet.descriptor.NamingDescription.EnvEntry;
import dev.serval.servlet.descriptor.NamingDescription.InjectionTarget;
import dev.serval.servlet.descriptor.NamingDescription.LifecycleMethod;
import dev.serval.servlet.descriptor.NamingDescription.Reference;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.Layers;
import dev.serval.servlet.webxml.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Merges references and lifecycle methods (Servlet 6.1 §8.2.3 rules 5.h, 5.k to 5.m). An element
/// of web.xml decides, but takes the injection targets of fragments too; fragments have to agree.
final class NamingMerge {
    private static final Origin NOWHERE = new Origin("", 0, 0);

    private NamingMerge() {}

    /// Sets the naming of a draft.
    ///
    /// @throws DescriptorException if two fragments differ and web.xml does not decide
    static void merge(Layers<Declarations.Naming> layers, AppDraft draft)
            throws DescriptorException {
        draft.naming(
                new NamingDescription(
                        envEntries(layers.map(naming -> naming.envEntries)),
                        references(layers.map(naming -> naming.references)),
                        methods(layers, naming -> naming.postConstruct),
                        methods(layers, naming -> naming.preDestroy)));
    }

    private static List<EnvEntry> envEntries(Layers<Settings<EnvEntry>> layers)
            throws DescriptorException {
        Settings<EnvEntry> merged =
                Settings.merge("env-entry", layers.map(part -> bare(part, NamingMerge::bare)));
        Map<String, Set<InjectionTarget>> targets = targets(layers, EnvEntry::targets);
        List<EnvEntry> entries = new ArrayList<>();
        merged.all()
                .forEach((name, setting) ->
                        entries.add(
                                new EnvEntry(
                                        setting.value().name(),
                                        setting.value().type(),
                                        setting.value().value(),
                                        setting.value().lookupName(),
                                        List.copyOf(targets.getOrDefault(name, Set.of())),
                                        setting.origin())));
        return entries;
    }

    private static List<Reference> references(Layers<Settings<Reference>> layers)
            throws DescriptorException {
        Settings<Reference> merged =
                Settings.merge("the", layers.map(part -> bare(part, NamingMerge::bare)));
        Map<String, Set<InjectionTarget>> targets = targets(layers, Reference::targets);
        List<Reference> references = new ArrayList<>();
        merged.all()
                .forEach((name, setting) ->
                        references.add(
                                new Reference(
                                        setting.value().kind(),
                                        setting.value().name(),
                                        setting.value().values(),
                                        List.copyOf(targets.getOrDefault(name, Set.of())),
                                        setting.origin())));
        return references;
    }

    /// Returns the settings without what does not count when fragments are compared.
    private static <V> Settings<V> bare(Settings<V> settings, Function<V, V> bare) {
        Settings<V> result = new Settings<>();
        settings.all()
                .forEach((name, one) -> result.add(name, bare.apply(one.value()), one.origin()));
        return result;
    }

    private static EnvEntry bare(EnvEntry entry) {
        return new EnvEntry(
                entry.name(), entry.type(), entry.value(), entry.lookupName(), List.of(), NOWHERE);
    }

    private static Reference bare(Reference reference) {
        return new Reference(
                reference.kind(), reference.name(), reference.values(), List.of(), NOWHERE);
    }

    private static <V> Map<String, Set<InjectionTarget>> targets(
            Layers<Settings<V>> layers, Function<V, List<InjectionTarget>> targetsOf) {
        Map<String, Set<InjectionTarget>> targets = new LinkedHashMap<>();
        for (Settings<V> settings : layers.all()) {
            settings.all()
                    .forEach((name, setting) ->
                            targets.computeIfAbsent(name, n -> new LinkedHashSet<>())
                                    .addAll(targetsOf.apply(setting.value())));
        }
        return targets;
    }

    /// Methods of web.xml replace those of fragments.
    private static List<LifecycleMethod> methods(
            Layers<Declarations.Naming> layers,
            Function<Declarations.Naming, List<LifecycleMethod>> methodsOf) {
        List<LifecycleMethod> methods = new ArrayList<>(methodsOf.apply(layers.web()));
        if (methods.isEmpty()) {
            layers.fragments().forEach(part -> methods.addAll(methodsOf.apply(part)));
        }
        return methods;
    }
}
