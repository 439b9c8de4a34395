package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.DeclaredComponent;
import dev.serval.servlet.webxml.Layers;
import dev.serval.servlet.webxml.Settings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Merges security and JSP, whose elements add up (Servlet 6.1 §8.2.3).
final class SecurityMerge {
    private SecurityMerge() {}

    /// Sets security and JSP of a draft.
    ///
    /// @throws DescriptorException if two fragments have different login-configs
    static void merge(Layers<Declarations> layers, AppDraft draft) throws DescriptorException {
        List<SecurityDescription.Constraint> constraints = new ArrayList<>();
        Set<String> roles = new LinkedHashSet<>();
        List<JspDescription.PropertyGroup> groups = new ArrayList<>();
        List<JspDescription.Taglib> taglibs = new ArrayList<>();
        for (Declarations declared : layers.all()) {
            constraints.addAll(declared.security.constraints);
            roles.addAll(declared.security.roles);
            groups.addAll(declared.jsp.groups);
            taglibs.addAll(declared.jsp.taglibs);
        }
        draft.security(
                new SecurityDescription(
                        constraints,
                        Settings.merge("login-config", layers.map(part -> part.security.login))
                                .value(DeclaredComponent.ONLY),
                        roles,
                        Map.of(),
                        layers.web().values.get("deny-uncovered-http-methods") != null));
        draft.jsp(new JspDescription(groups, taglibs));
    }
}
