package dev.serval.servlet.webxml;

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
public final class Declarations {
    public final Head head;
    public final List<String> warnings = new ArrayList<>(); // about the source, for the log
    public final Settings<String> values = new Settings<>(); // elements that occur once, by path
    public final Settings<String> contextParams = new Settings<>();
    public final Settings<String> mediaTypes = new Settings<>();
    public final Settings<String> localeEncodings = new Settings<>();
    public final Settings<String> errorPages =
            new Settings<>(); // by code, by type, or "" for all others
    public final Map<String, DeclaredComponent> servlets = new LinkedHashMap<>();
    public final Map<String, DeclaredComponent> filters = new LinkedHashMap<>();
    public final List<FilterMapping> filterMappings = new ArrayList<>();
    public final List<Setting<String>> listeners = new ArrayList<>();
    public final Set<String> welcomeFiles = new LinkedHashSet<>();
    public boolean welcomeList; // declared, even if it is empty
    public final Naming naming = new Naming();
    public final Security security = new Security();
    public final Jsp jsp = new Jsp();

    /// What a descriptor says about itself.
    ///
    /// @param origin the file, without line
    /// @param version its version
    /// @param complete whether annotations do not count
    /// @param ordering its place among the others
    public record Head(
            Origin origin, DescriptorVersion version, boolean complete, Ordering ordering) {}

    /// References and lifecycle methods.
    public static final class Naming {
        public final Settings<NamingDescription.EnvEntry> envEntries = new Settings<>();
        public final Settings<NamingDescription.Reference> references = new Settings<>();
        public final List<NamingDescription.LifecycleMethod> postConstruct = new ArrayList<>();
        public final List<NamingDescription.LifecycleMethod> preDestroy = new ArrayList<>();
    }

    /// Constraints, login and roles.
    public static final class Security {
        public final List<SecurityDescription.Constraint> constraints = new ArrayList<>();
        public final Settings<SecurityDescription.Login> login = new Settings<>();
        public final Set<String> roles = new LinkedHashSet<>();
    }

    /// The jsp-config.
    public static final class Jsp {
        public final List<JspDescription.PropertyGroup> groups = new ArrayList<>();
        public final List<JspDescription.Taglib> taglibs = new ArrayList<>();
    }

    Declarations(Head head) {
        this.head = head;
    }

    /// Returns declarations that are still empty and come from no descriptor.
    public static Declarations of(Origin origin) {
        return new Declarations(new Head(origin, DescriptorVersion.NEWEST, false, Ordering.NONE));
    }

    /// Adds a warning about an element.
    void warn(XmlElement element, String what) {
        warnings.add(String.valueOf(element.error(what).getMessage()));
    }

    /// Returns the servlet of that name, which is added if it is new.
    public DeclaredComponent servlet(String name, Origin origin) {
        return servlets.computeIfAbsent(name, added -> new DeclaredComponent(added, origin));
    }

    /// Returns the filter of that name, which is added if it is new.
    public DeclaredComponent filter(String name, Origin origin) {
        return filters.computeIfAbsent(name, added -> new DeclaredComponent(added, origin));
    }
}
