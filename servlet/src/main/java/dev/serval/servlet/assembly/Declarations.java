package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.NamingDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.SecurityDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What one source declares: web.xml, a fragment, or the annotations of one origin. Owned by the
/// thread that deploys.
final class Declarations {
    final Head head;
    final Settings<String> values = new Settings<>(); // elements that occur once, by path
    final Settings<String> contextParams = new Settings<>();
    final Settings<String> mediaTypes = new Settings<>();
    final Settings<String> localeEncodings = new Settings<>();
    final Settings<String> errorPages = new Settings<>(); // by code, by type, or "" for all others
    final Map<String, DeclaredComponent> servlets = new LinkedHashMap<>();
    final Map<String, DeclaredComponent> filters = new LinkedHashMap<>();
    final List<FilterMapping> filterMappings = new ArrayList<>();
    final List<Setting<String>> listeners = new ArrayList<>();
    final Set<String> welcomeFiles = new LinkedHashSet<>();
    final Naming naming = new Naming();
    final Security security = new Security();
    final Jsp jsp = new Jsp();

    /// What a descriptor says about itself.
    ///
    /// @param origin the file, without line
    /// @param version its version
    /// @param complete whether annotations do not count
    /// @param ordering its place among the others
    record Head(Origin origin, DescriptorVersion version, boolean complete, Ordering ordering) {}

    /// References and lifecycle methods.
    static final class Naming {
        final Settings<NamingDescription.EnvEntry> envEntries = new Settings<>();
        final Settings<NamingDescription.Reference> references = new Settings<>();
        final List<NamingDescription.LifecycleMethod> postConstruct = new ArrayList<>();
        final List<NamingDescription.LifecycleMethod> preDestroy = new ArrayList<>();
    }

    /// Constraints, login and roles.
    static final class Security {
        final List<SecurityDescription.Constraint> constraints = new ArrayList<>();
        final Settings<SecurityDescription.Login> login = new Settings<>();
        final Set<String> roles = new LinkedHashSet<>();
    }

    /// The jsp-config.
    static final class Jsp {
        final List<JspDescription.PropertyGroup> groups = new ArrayList<>();
        final List<JspDescription.Taglib> taglibs = new ArrayList<>();
    }

    Declarations(Head head) {
        this.head = head;
    }

    /// Returns declarations that are still empty and come from no descriptor.
    static Declarations of(Origin origin) {
        return new Declarations(new Head(origin, DescriptorVersion.NEWEST, false, Ordering.NONE));
    }

    /// Returns the servlet of that name, which is added if it is new.
    DeclaredComponent servlet(String name, Origin origin) {
        return servlets.computeIfAbsent(name, added -> new DeclaredComponent(added, origin));
    }

    /// Returns the filter of that name, which is added if it is new.
    DeclaredComponent filter(String name, Origin origin) {
        return filters.computeIfAbsent(name, added -> new DeclaredComponent(added, origin));
    }
}
