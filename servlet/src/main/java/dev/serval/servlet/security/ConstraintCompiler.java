package dev.serval.servlet.security;

import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Constraint;
import dev.serval.servlet.descriptor.SecurityDescription.ResourceCollection;
import dev.serval.servlet.descriptor.SecurityDescription.Rule;
import dev.serval.servlet.descriptor.SecurityDescription.ServletRules;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.map.ServletPaths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes the table of constraints of an application, once, when it starts. Used by the thread that
/// deploys.
final class ConstraintCompiler {
    /// One constraint on one pattern.
    ///
    /// @param methods what it applies to; empty for all but `omitted`
    private record Piece(Set<String> methods, Set<String> omitted, Access access) {
        boolean covers(String method) {
            return methods.isEmpty() ? !omitted.contains(method) : methods.contains(method);
        }

        boolean coversOthers() {
            return methods.isEmpty();
        }
    }

    private final SecurityDescription security;
    private final Set<String> roles;
    private final Consumer<String> warnings;
    private final Map<String, List<Piece>> pieces = new LinkedHashMap<>(); // by pattern

    private ConstraintCompiler(
            SecurityDescription security, Set<String> roles, Consumer<String> warnings) {
        this.security = security;
        this.roles = roles;
        this.warnings = warnings;
    }

    /// Returns the table; null if the application has no constraint, so that its requests cost
    /// nothing.
    ///
    /// @param roles all roles of the application, which `*` stands for
    /// @param warnings receives sentences about what is probably not intended
    static @Nullable ConstraintTable compile(
            SecurityDescription security,
            Collection<ServletDescription> servlets,
            Set<String> roles,
            Consumer<String> warnings) {
        ConstraintCompiler compiler = new ConstraintCompiler(security, roles, warnings);
        security.constraints().forEach(compiler::add);
        // A pattern that a descriptor constrains is not subject to annotations (§13.4.1).
        Set<String> described = new HashSet<>(compiler.pieces.keySet());
        for (ServletDescription servlet : servlets) {
            @Nullable ServletRules rules = security.servletRules().get(servlet.name());
            if (rules != null) {
                Set<String> patterns = new TreeSet<>(servlet.urlPatterns());
                patterns.removeAll(described);
                compiler.add(rules, patterns);
            }
        }
        return compiler.pieces.isEmpty() ? null : compiler.table();
    }

    private void add(Constraint constraint) {
        @Nullable Set<String> named = constraint.roles();
        if (named != null) {
            warnOfUnknownRoles(constraint, named);
        }
        Access access = Access.of(named, roles, isConfidential(constraint.transport()));
        for (ResourceCollection part : constraint.resources()) {
            for (String pattern : part.urlPatterns()) {
                add(pattern, new Piece(part.methods(), part.omittedMethods(), access));
            }
        }
    }

    private void warnOfUnknownRoles(Constraint constraint, Set<String> named) {
        Set<String> unknown = new TreeSet<>(named);
        unknown.removeAll(roles);
        unknown.remove(Access.ALL_ROLES);
        unknown.remove(Access.ALL_USERS);
        if (!unknown.isEmpty()) {
            warnings.accept(
                    constraint.origin()
                            + ": The constraint names roles that no security-role declares: "
                            + String.join(", ", unknown)
                            + ". Declare them, or correct the names.");
        }
    }

    /// Adds the rules of a servlet (Servlet 6.1 §13.4.1.3). The rule for other methods counts as no
    /// constraint if it demands nothing and there are rules for methods.
    private void add(ServletRules rules, Set<String> patterns) {
        Set<String> named = rules.byMethod().keySet();
        Access others = access(rules.others());
        for (String pattern : patterns) {
            rules.byMethod()
                    .forEach((method, rule) ->
                            add(pattern, new Piece(Set.of(method), Set.of(), access(rule))));
            if (named.isEmpty() || !others.isOpen()) {
                add(pattern, new Piece(Set.of(), named, others));
            }
        }
    }

    private Access access(Rule rule) {
        boolean open = rule.roles().isEmpty() && !rule.deny();
        return Access.of(open ? null : rule.roles(), roles, isConfidential(rule.transport()));
    }

    /// Integrity is only had by encryption, too.
    private static boolean isConfidential(Transport transport) {
        return switch (transport) {
            case NONE -> false;
            case INTEGRAL, CONFIDENTIAL -> true;
        };
    }

    private void add(String pattern, Piece piece) {
        pieces.computeIfAbsent(pattern, _ -> new ArrayList<>()).add(piece);
    }

    private ConstraintTable table() {
        ServletPaths.Builder<Protection> paths = ServletPaths.builder();
        boolean needsUsers = false;
        for (Map.Entry<String, List<Piece>> entry : pieces.entrySet()) {
            Protection one = protection(entry.getKey(), entry.getValue());
            paths.map(entry.getKey(), one, entry.getKey());
            needsUsers |= one.needsUsers();
        }
        return new ConstraintTable(paths.build(), needsUsers);
    }

    private Protection protection(String pattern, List<Piece> all) {
        Set<String> named = new TreeSet<>();
        all.forEach(piece -> named.addAll(piece.methods()));
        all.forEach(piece -> named.addAll(piece.omitted()));
        Map<String, Access> byMethod = new TreeMap<>();
        Set<String> uncovered = new TreeSet<>();
        for (String method : named) {
            List<Access> apply =
                    all.stream().filter(one -> one.covers(method)).map(Piece::access).toList();
            if (apply.isEmpty()) {
                uncovered.add(method);
            }
            byMethod.put(method, resolved(apply));
        }
        List<Access> rest = all.stream().filter(Piece::coversOthers).map(Piece::access).toList();
        warnOfUncovered(pattern, named, uncovered, rest.isEmpty());
        return new Protection(byMethod, resolved(rest));
    }

    /// Returns what the constraints demand together. A method that none covers is open, unless the
    /// application denies such methods (§13.8.4).
    private Access resolved(List<Access> apply) {
        if (apply.isEmpty()) {
            return security.denyUncovered() ? Access.DENIED : Access.OPEN;
        }
        return Access.combined(apply);
    }

    /// Warns of methods that are open although the pattern is constrained (§13.8.4).
    private void warnOfUncovered(
            String pattern, Set<String> named, Set<String> uncovered, boolean others) {
        if (security.denyUncovered() || (uncovered.isEmpty() && !others)) {
            return;
        }
        String which =
                others
                        ? "all HTTP methods except " + String.join(", ", covered(named, uncovered))
                        : "the HTTP methods " + String.join(", ", uncovered);
        warnings.accept(
                "The constraints of the URL pattern \""
                        + pattern
                        + "\" leave "
                        + which
                        + " open to everyone. Constrain all methods, or add"
                        + " <deny-uncovered-http-methods/> to web.xml.");
    }

    private static Set<String> covered(Set<String> named, Set<String> uncovered) {
        Set<String> covered = new TreeSet<>(named);
        covered.removeAll(uncovered);
        return covered;
    }
}
