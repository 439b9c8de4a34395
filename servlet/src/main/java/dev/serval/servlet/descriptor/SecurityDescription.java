package dev.serval.servlet.descriptor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an application declares about security (Servlet 6.1 §13). Immutable.
///
/// @param constraints the security-constraints of the descriptors, in the order of declaration
/// @param login how users log in; null if not declared
/// @param roles the roles that the application declares
/// @param servletRules the rules that a servlet's class or code declares, by the servlet's name
/// @param denyUncovered whether HTTP methods that no constraint covers are denied
public record SecurityDescription(
        List<Constraint> constraints,
        @Nullable Login login,
        Set<String> roles,
        Map<String, ServletRules> servletRules,
        boolean denyUncovered) {
    /// Nothing declared.
    public static final SecurityDescription NONE =
            new SecurityDescription(List.of(), null, Set.of(), Map.of(), false);

    /// The protection that a connection must offer.
    public enum Transport {
        /// None is asked for.
        NONE,
        /// Content cannot be changed on its way.
        INTEGRAL,
        /// Content cannot be read on its way.
        CONFIDENTIAL
    }

    /// A security-constraint.
    ///
    /// @param name its display-name; may be empty
    /// @param resources what it applies to; never empty
    /// @param roles the roles that have access; empty for access to none; null for access to all
    /// @param transport the protection of the connection
    /// @param origin where it was declared
    public record Constraint(
            String name,
            List<ResourceCollection> resources,
            @Nullable Set<String> roles,
            Transport transport,
            Origin origin) {
        /// Copies the collections.
        public Constraint {
            resources = List.copyOf(resources);
            roles = roles == null ? null : Set.copyOf(roles);
        }
    }

    /// A web-resource-collection.
    ///
    /// @param name its name
    /// @param urlPatterns in the order of declaration
    /// @param methods the HTTP methods it applies to; empty for all but `omittedMethods`
    /// @param omittedMethods the HTTP methods it does not apply to
    public record ResourceCollection(
            String name,
            List<String> urlPatterns,
            Set<String> methods,
            Set<String> omittedMethods) {
        /// Copies the collections.
        public ResourceCollection {
            urlPatterns = List.copyOf(urlPatterns);
            methods = Set.copyOf(methods);
            omittedMethods = Set.copyOf(omittedMethods);
        }
    }

    /// A login-config.
    ///
    /// @param method BASIC, DIGEST, FORM, CLIENT-CERT or another name; may be empty
    /// @param realm may be empty
    /// @param loginPage path of the form-login-page; empty if there is none
    /// @param errorPage path of the form-error-page; empty if there is none
    /// @param origin where it was declared
    public record Login(
            String method, String realm, String loginPage, String errorPage, Origin origin) {}

    /// What `@ServletSecurity`, or the same by code, declares for one servlet.
    ///
    /// @param others the rule for methods that are not in `byMethod`
    /// @param byMethod rules by HTTP method
    public record ServletRules(Rule others, Map<String, Rule> byMethod) {
        /// Copies the map.
        public ServletRules {
            byMethod = Collections.unmodifiableMap(new LinkedHashMap<>(byMethod));
        }
    }

    /// Who has access.
    ///
    /// @param roles the roles that have access; if empty, `deny` decides
    /// @param deny whether no roles means access to none
    /// @param transport the protection of the connection
    public record Rule(Set<String> roles, boolean deny, Transport transport) {
        /// Copies the roles.
        public Rule {
            roles = Set.copyOf(roles);
        }
    }

    /// Returns the patterns that a security-constraint of a descriptor names.
    public Set<String> constrainedPatterns() {
        Set<String> patterns = new LinkedHashSet<>();
        for (Constraint constraint : constraints) {
            constraint.resources().forEach(part -> patterns.addAll(part.urlPatterns()));
        }
        return patterns;
    }

    /// Copies the collections.
    public SecurityDescription {
        constraints = List.copyOf(constraints);
        roles = Set.copyOf(roles);
        servletRules = Map.copyOf(servletRules);
    }
}
