package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Constraint;
import dev.serval.servlet.descriptor.SecurityDescription.Login;
import dev.serval.servlet.descriptor.SecurityDescription.ResourceCollection;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the elements of a descriptor about security and JSP, which other parts of the container
/// interpret (Servlet 6.1 §13.8, §14.4).
final class SecurityElements {
    private static final List<String> PROPERTY_GROUP =
            List.of(
                    "description",
                    "display-name",
                    "icon",
                    "url-pattern",
                    "el-ignored",
                    "error-on-el-not-found",
                    "page-encoding",
                    "scripting-invalid",
                    "is-xml",
                    "include-prelude",
                    "include-coda",
                    "deferred-syntax-allowed-as-literal",
                    "trim-directive-whitespaces",
                    "default-content-type",
                    "buffer",
                    "error-on-undeclared-namespace");
    private static final Set<String> NOT_PROPERTIES =
            Set.of(
                    "description",
                    "display-name",
                    "icon",
                    "url-pattern",
                    "include-prelude",
                    "include-coda");

    private final Declarations declared;

    SecurityElements(Declarations declared) {
        this.declared = declared;
    }

    /// Reads an element.
    ///
    /// @return whether it is one of these
    boolean read(XmlElement element) throws DescriptorException {
        switch (element.name()) {
            case "security-constraint" -> declared.security.constraints.add(constraint(element));
            case "security-role" -> {
                element.allowOnly(List.of("description", "role-name"));
                declared.security.roles.add(element.required("role-name").value());
            }
            case "login-config" ->
                    declared.security.login.add(
                            DeclaredComponent.ONLY, login(element), element.origin());
            case "jsp-config" -> jspConfig(element);
            case "taglib" -> taglib(element);
            default -> {
                return false;
            }
        }
        return true;
    }

    private Constraint constraint(XmlElement element) throws DescriptorException {
        element.allowOnly(
                List.of(
                        "display-name",
                        "web-resource-collection",
                        "auth-constraint",
                        "user-data-constraint"));
        List<ResourceCollection> resources = new ArrayList<>();
        for (XmlElement collection : element.children("web-resource-collection")) {
            resources.add(collection(collection));
        }
        if (resources.isEmpty()) {
            throw element.error("<security-constraint> has no <web-resource-collection>. Add one.");
        }
        List<String> names = element.values("display-name");
        @Nullable XmlElement auth = element.child("auth-constraint");
        @Nullable Set<String> roles = null;
        if (auth != null) {
            auth.allowOnly(List.of("description", "role-name"));
            roles = new LinkedHashSet<>(auth.values("role-name"));
        }
        return new Constraint(
                names.isEmpty() ? "" : names.getFirst(),
                resources,
                roles,
                transport(element.child("user-data-constraint")),
                element.origin());
    }

    private ResourceCollection collection(XmlElement element) throws DescriptorException {
        element.allowOnly(
                List.of(
                        "web-resource-name",
                        "description",
                        "url-pattern",
                        "http-method",
                        "http-method-omission"));
        List<String> methods = element.values("http-method");
        List<String> omitted = element.values("http-method-omission");
        if (!methods.isEmpty() && !omitted.isEmpty()) {
            throw element.error(
                    "<web-resource-collection> has both <http-method> and <http-method-omission>."
                            + " Keep one kind.");
        }
        List<String> patterns = new ArrayList<>();
        for (XmlElement pattern : element.children("url-pattern")) {
            patterns.add(UrlPattern.of(pattern, declared));
        }
        if (patterns.isEmpty()) {
            throw element.error("<web-resource-collection> has no <url-pattern>. Add one.");
        }
        @Nullable String name = element.optional("web-resource-name");
        return new ResourceCollection(
                name == null ? "" : name,
                patterns,
                new LinkedHashSet<>(methods),
                new LinkedHashSet<>(omitted));
    }

    private static Transport transport(@Nullable XmlElement element) throws DescriptorException {
        if (element == null) {
            return Transport.NONE;
        }
        element.allowOnly(List.of("description", "transport-guarantee"));
        XmlElement guarantee = element.required("transport-guarantee");
        return switch (guarantee.value()) {
            case "NONE" -> Transport.NONE;
            case "INTEGRAL" -> Transport.INTEGRAL;
            case "CONFIDENTIAL" -> Transport.CONFIDENTIAL;
            default ->
                    throw guarantee.error(
                            ("The transport guarantee \"%s\" is not known. "
                                            + "Write NONE, INTEGRAL or CONFIDENTIAL.")
                                    .formatted(guarantee.value()));
        };
    }

    private Login login(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("auth-method", "realm-name", "form-login-config"));
        @Nullable String method = element.optional("auth-method");
        if ("NONE".equals(method)) {
            declared.warn(
                    element,
                    "The auth-method \"NONE\" is taken for none: users cannot log in. Remove it.");
            method = "";
        }
        @Nullable String realm = element.optional("realm-name");
        @Nullable XmlElement form = element.child("form-login-config");
        String loginPage = "";
        String errorPage = "";
        if (form != null) {
            form.allowOnly(List.of("form-login-page", "form-error-page"));
            loginPage = page(form.required("form-login-page"));
            errorPage = page(form.required("form-error-page"));
        }
        return new Login(
                method == null ? "" : method,
                realm == null ? "" : realm,
                loginPage,
                errorPage,
                element.origin());
    }

    private static String page(XmlElement element) throws DescriptorException {
        String path = element.value();
        if (!path.startsWith("/")) {
            throw element.error(
                    "The page \"%s\" does not begin with a slash. Write its path from the context root, such as /login.html."
                            .formatted(path));
        }
        return path;
    }

    private void jspConfig(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("taglib", "jsp-property-group"));
        for (XmlElement child : element.children()) {
            if (child.name().equals("taglib")) {
                taglib(child);
            } else {
                declared.jsp.groups.add(propertyGroup(child));
            }
        }
    }

    private void taglib(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("taglib-uri", "taglib-location"));
        declared.jsp.taglibs.add(
                new JspDescription.Taglib(
                        element.required("taglib-uri").value(),
                        element.required("taglib-location").value()));
    }

    private JspDescription.PropertyGroup propertyGroup(XmlElement element)
            throws DescriptorException {
        element.allowOnly(PROPERTY_GROUP);
        List<String> patterns = new ArrayList<>();
        for (XmlElement pattern : element.children("url-pattern")) {
            patterns.add(UrlPattern.of(pattern, declared));
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (XmlElement child : element.children()) {
            if (!NOT_PROPERTIES.contains(child.name())) {
                element.child(child.name()); // not twice
                values.put(child.name(), child.value());
            }
        }
        return new JspDescription.PropertyGroup(
                patterns,
                values,
                element.values("include-prelude"),
                element.values("include-coda"),
                element.origin());
    }
}
