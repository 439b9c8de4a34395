package dev.serval.servlet.security;

import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Rule;
import dev.serval.servlet.descriptor.SecurityDescription.ServletRules;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.HttpMethodConstraintElement;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Adds what code declares by `setServletSecurity` and `declareRoles` to what the files of an
/// application declare (Servlet 6.1 §13.4.2).
final class DeclaredByCode {
    private DeclaredByCode() {}

    /// Returns the whole declaration. Code replaces the rules of annotations. Each role that a
    /// rule names counts as declared.
    static SecurityDescription merged(
            SecurityDescription files,
            Map<String, ServletSecurityElement> byCode,
            Set<String> codeRoles) {
        Map<String, ServletRules> rules = new LinkedHashMap<>(files.servletRules());
        byCode.forEach((servlet, element) -> rules.put(servlet, rules(element)));
        Set<String> roles = new LinkedHashSet<>(files.roles());
        roles.addAll(codeRoles);
        for (ServletRules one : rules.values()) {
            roles.addAll(one.others().roles());
            one.byMethod().values().forEach(rule -> roles.addAll(rule.roles()));
        }
        roles.remove(Access.ALL_ROLES);
        return new SecurityDescription(
                files.constraints(), files.login(), roles, rules, files.denyUncovered());
    }

    private static ServletRules rules(ServletSecurityElement element) {
        Map<String, Rule> byMethod = new LinkedHashMap<>();
        for (HttpMethodConstraintElement method : element.getHttpMethodConstraints()) {
            byMethod.put(method.getMethodName(), rule(method));
        }
        return new ServletRules(rule(element), byMethod);
    }

    private static Rule rule(HttpConstraintElement element) {
        boolean confidential = element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL;
        return new Rule(
                new LinkedHashSet<>(List.of(element.getRolesAllowed())),
                element.getEmptyRoleSemantic() == EmptyRoleSemantic.DENY,
                confidential ? Transport.CONFIDENTIAL : Transport.NONE);
    }
}
