package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.NamingDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns the names that descriptors declare into the environment of injection.
public final class DeclaredNames {
    private DeclaredNames() {}

    public static Environment of(NamingDescription declared, boolean annotations) {
        List<EnvEntry> entries = new ArrayList<>();
        for (NamingDescription.EnvEntry entry : declared.envEntries()) {
            entries.add(
                    new EnvEntry(
                            entry.name(),
                            entry.type(),
                            entry.value(),
                            entry.lookupName(),
                            targets(entry.targets()),
                            entry.origin()));
        }
        List<ResourceRef> references = new ArrayList<>();
        for (NamingDescription.Reference reference : declared.references()) {
            references.add(
                    new ResourceRef(
                            reference.name(),
                            reference.values().get("lookup-name"),
                            targets(reference.targets()),
                            reference.origin()));
        }
        return new Environment(
                entries,
                references,
                calls(declared.postConstruct()),
                calls(declared.preDestroy()),
                annotations);
    }

    private static List<InjectionTarget> targets(List<NamingDescription.InjectionTarget> targets) {
        return targets.stream()
                .map(one -> new InjectionTarget(one.className(), one.name()))
                .toList();
    }

    private static List<LifecycleCall> calls(List<NamingDescription.LifecycleMethod> methods) {
        List<LifecycleCall> calls = new ArrayList<>();
        for (NamingDescription.LifecycleMethod method : methods) {
            @Nullable String className = method.className();
            if (className != null) {
                calls.add(new LifecycleCall(className, method.method(), method.origin()));
            }
        }
        return calls;
    }
}
