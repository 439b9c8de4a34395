package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.scan.AnnotationScan;
import dev.serval.servlet.scan.ClassFacts;
import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.scan.ScanResult;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.DeclaredComponent;
import dev.serval.servlet.webxml.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The annotations of one application. Legal order of calls: [#read], [#readExcluded], [#matching],
/// then [#complete] with the merged draft. Owned by the thread that deploys.
final class Annotations {
    private final AnnotationScan scan;
    private final Map<String, ClassFacts> seen = new HashMap<>(); // of each name the first
    private final Map<String, ClassFacts> counting = new HashMap<>(); // their annotations count
    private final List<ClassFiles> excluded = new ArrayList<>();
    private final List<Declarations> declared = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    Annotations(AnnotationScan scan) {
        this.scan = scan;
    }

    /// Returns what does not keep the application from running.
    List<String> warnings() {
        return warnings;
    }

    /// Reads the annotations of WEB-INF/classes and of the jars, but those of complete fragments.
    ///
    /// @throws DescriptorException if an annotation is wrong, or a class file that declares a
    ///     component is broken
    void read(AppClasses classes, List<Fragment> fragments)
            throws DescriptorException, IOException {
        List<ClassFiles> origins = classes.origins();
        List<ScanResult> results = classes.results();
        for (int i = 0; i < origins.size(); i++) {
            @Nullable Declarations fragment = i == 0 ? null : fragments.get(i - 1).declared();
            if (fragment == null || !fragment.head.complete()) {
                read(origins.get(i), results.get(i));
            } else {
                results.get(i).classes().forEach(facts -> seen.putIfAbsent(facts.name(), facts));
            }
        }
    }

    private void read(ClassFiles origin, ScanResult result) throws DescriptorException {
        Declarations declarations = Declarations.of(new Origin(origin.name(), 0, 0));
        for (ClassFacts facts : result.classes()) {
            // The class loader takes the first of two classes with one name, and so does this.
            if (seen.putIfAbsent(facts.name(), facts) == null) {
                counting.put(facts.name(), facts);
                AnnotatedComponents.add(facts, declarations);
            }
        }
        declared.add(declarations);
        for (ScanResult.Fault fault : result.faults()) {
            Origin place = new Origin(origin.name() + "!/" + fault.path(), 0, 0);
            if (fault.annotated()) {
                throw new DescriptorException(
                        place,
                        ("The class file declares a component, but cannot be read. "
                                        + "%s Build it again.")
                                .formatted(fault.reason()));
            }
            warnings.add("%s: The class file is skipped. %s".formatted(place, fault.reason()));
        }
    }

    /// Reads the annotations of classes in excluded jars that a descriptor names (Servlet 6.1
    /// §8.2.2).
    void readExcluded(List<ClassFiles> jars, List<Declarations> descriptors)
            throws DescriptorException, IOException {
        excluded.addAll(jars);
        Map<String, Set<String>> servletNames = names(descriptors);
        for (ClassFiles jar : jars) {
            Declarations declarations = Declarations.of(new Origin(jar.name(), 0, 0));
            for (String className : servletNames.keySet()) {
                @Nullable ClassFacts facts =
                        seen.containsKey(className) ? null : scan.classOf(jar, className);
                if (facts != null) {
                    seen.put(className, facts);
                    counting.put(className, facts);
                    AnnotatedComponents.add(facts, declarations);
                }
            }
            // What the descriptors do not name must not come in by an excluded jar.
            declarations.servlets.keySet().removeIf(name -> !isNamed(name, servletNames));
            declarations.filters.keySet().removeIf(name -> !isNamed(name, servletNames));
            declarations.filterMappings.removeIf(
                    mapping -> !declarations.filters.containsKey(mapping.filter()));
            declared.add(declarations);
        }
    }

    private static boolean isNamed(String name, Map<String, Set<String>> names) {
        return names.values().stream().anyMatch(set -> set.contains(name));
    }

    /// Returns the names that descriptors give to each class of a component.
    private static Map<String, Set<String>> names(List<Declarations> descriptors) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (Declarations descriptor : descriptors) {
            List<DeclaredComponent> components = new ArrayList<>(descriptor.servlets.values());
            components.addAll(descriptor.filters.values());
            for (DeclaredComponent component : components) {
                if (component.component() instanceof Component.Named named) {
                    names.computeIfAbsent(named.className(), type -> new LinkedHashSet<>())
                            .add(component.name);
                }
            }
            for (Setting<String> listener : descriptor.listeners) {
                names.computeIfAbsent(listener.value(), type -> new LinkedHashSet<>());
            }
        }
        return names;
    }

    /// Returns the declarations of all annotations but those whose name a descriptor gives to
    /// another class.
    ///
    /// @throws DescriptorException if two annotated classes have one name
    List<Declarations> matching(List<Declarations> descriptors) throws DescriptorException {
        Map<String, DeclaredComponent> servlets = new HashMap<>();
        Map<String, DeclaredComponent> filters = new HashMap<>();
        for (Declarations descriptor : descriptors) {
            addNew(descriptor.servlets, servlets);
            addNew(descriptor.filters, filters);
        }
        Map<String, DeclaredComponent> annotatedServlets = new HashMap<>();
        Map<String, DeclaredComponent> annotatedFilters = new HashMap<>();
        for (Declarations declarations : declared) {
            dropOthers("servlet", declarations.servlets, servlets);
            Set<String> dropped = dropOthers("filter", declarations.filters, filters);
            declarations.filterMappings.removeIf(mapping -> dropped.contains(mapping.filter()));
            requireUnique("servlet", declarations.servlets, annotatedServlets);
            requireUnique("filter", declarations.filters, annotatedFilters);
        }
        return declared;
    }

    private static void addNew(
            Map<String, DeclaredComponent> components, Map<String, DeclaredComponent> target) {
        components.forEach((name, component) -> {
            if (component.component() != null) {
                target.putIfAbsent(name, component);
            }
        });
    }

    private Set<String> dropOthers(
            String kind,
            Map<String, DeclaredComponent> annotated,
            Map<String, DeclaredComponent> described) {
        Set<String> dropped = new HashSet<>();
        for (DeclaredComponent component : annotated.values()) {
            @Nullable DeclaredComponent other = described.get(component.name);
            if (other != null && !Objects.equals(other.component(), component.component())) {
                dropped.add(component.name);
                warnings.add(
                        ("%s: The annotation is ignored, as %s gives the %s name \"%s\" to "
                                        + "another class.")
                                .formatted(component.origin, other.origin, kind, component.name));
            }
        }
        annotated.keySet().removeAll(dropped);
        return dropped;
    }

    private static void requireUnique(
            String kind,
            Map<String, DeclaredComponent> annotated,
            Map<String, DeclaredComponent> known)
            throws DescriptorException {
        for (DeclaredComponent component : annotated.values()) {
            @Nullable DeclaredComponent other = known.putIfAbsent(component.name, component);
            if (other != null) {
                throw new DescriptorException(
                        component.origin,
                        "The %s \"%s\" is also the name of %s. Give one of the two another name."
                                .formatted(kind, component.name, other.origin));
            }
        }
    }

    /// Adds to servlets what the annotations of their classes say, unless a descriptor says it:
    /// `@MultipartConfig`, `@RunAs` and `@ServletSecurity` count for each servlet of the class,
    /// however it was declared.
    void complete(AppDraft draft) throws DescriptorException, IOException {
        Map<String, SecurityDescription.ServletRules> rules = new LinkedHashMap<>();
        for (ServletDraft servlet : draft.servlets()) {
            @Nullable ClassFacts facts =
                    servlet.component() instanceof Component.Named named
                            ? counting.get(named.className())
                            : null;
            if (facts != null) {
                complete(servlet, facts, rules);
            }
        }
        SecurityDescription security = draft.security();
        draft.security(
                new SecurityDescription(
                        security.constraints(),
                        security.login(),
                        security.roles(),
                        rules,
                        security.denyUncovered()));
    }

    private void complete(
            ServletDraft servlet,
            ClassFacts facts,
            Map<String, SecurityDescription.ServletRules> rules)
            throws DescriptorException, IOException {
        @Nullable MultipartLimits multipart = AnnotatedComponents.multipart(facts);
        if (multipart != null && servlet.multipart() == null) {
            servlet.multipart(multipart);
        }
        @Nullable String role = AnnotatedComponents.runAs(facts);
        if (role != null && servlet.runAs() == null) {
            servlet.runAs(role);
        }
        SecurityDescription.@Nullable ServletRules found = rules(facts);
        if (found != null) {
            rules.put(servlet.name(), found);
        }
    }

    /// Returns the rules of `@ServletSecurity` of a class, or of the nearest superclass that has it:
    /// of these annotations, only this one is inherited (Servlet 6.1 §13.4.1). Null if none has it.
    private SecurityDescription.@Nullable ServletRules rules(ClassFacts type)
            throws DescriptorException, IOException {
        Set<String> passed = new HashSet<>(); // class files that are wrong may extend each other
        @Nullable ClassFacts next = type;
        while (next != null && passed.add(next.name())) {
            SecurityDescription.@Nullable ServletRules own = AnnotatedComponents.rules(next);
            if (own != null) {
                return own;
            }
            next = superclass(next);
        }
        return null;
    }

    /// Returns the superclass, also from a jar whose own annotations do not count; null if it is not
    /// the application's.
    private @Nullable ClassFacts superclass(ClassFacts type) throws IOException {
        @Nullable String name = type.superName();
        if (name == null) {
            return null;
        }
        @Nullable ClassFacts found = seen.get(name);
        for (ClassFiles jar : excluded) {
            if (found == null) {
                found = scan.classOf(jar, name);
            }
        }
        return found;
    }
}
