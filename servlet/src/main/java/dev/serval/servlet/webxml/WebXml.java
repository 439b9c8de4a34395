package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads web.xml and web-fragment.xml (Servlet 6.1 §14). Unknown elements and wrong values are
/// refused with their line and column; the order of elements is left to the schema.
public final class WebXml {
    /// The root element of web.xml.
    public static final String WEB_APP = "web-app";

    /// The root element of web-fragment.xml.
    public static final String WEB_FRAGMENT = "web-fragment";

    private static final Set<String> COMMON =
            Set.of(
                    "description",
                    "display-name",
                    "icon",
                    "distributable",
                    "context-param",
                    "filter",
                    "filter-mapping",
                    "listener",
                    "servlet",
                    "servlet-mapping",
                    "session-config",
                    "mime-mapping",
                    "welcome-file-list",
                    "error-page",
                    "jsp-config",
                    "taglib", // before 2.4
                    "security-constraint",
                    "login-config",
                    "security-role",
                    "message-destination",
                    "locale-encoding-mapping-list",
                    "env-entry",
                    "post-construct",
                    "pre-destroy");
    private static final Set<String> APP_ONLY =
            Set.of(
                    "module-name",
                    "default-context-path",
                    "request-character-encoding",
                    "response-character-encoding",
                    "deny-uncovered-http-methods",
                    "absolute-ordering");
    private static final Set<String> FRAGMENT_ONLY = Set.of("name", "ordering");

    /// Elements that the schemas allow many times, but §14.2 only once in a descriptor.
    private static final List<String> ONCE =
            List.of(
                    "session-config",
                    "jsp-config",
                    "login-config",
                    "default-context-path",
                    "request-character-encoding",
                    "response-character-encoding",
                    "module-name",
                    "name");

    private final XmlElement root;
    private final Declarations declared;
    private final ComponentElements components;
    private final NamingElements naming;
    private final SecurityElements security;

    private WebXml(XmlElement root, Declarations declared) {
        this.root = root;
        this.declared = declared;
        components = new ComponentElements(declared);
        naming = new NamingElements(declared);
        security = new SecurityElements(declared);
    }

    /// Reads a descriptor.
    ///
    /// @param file the name for messages, for example `WEB-INF/web.xml`
    /// @param kind [#WEB_APP] or [#WEB_FRAGMENT]
    /// @throws DescriptorException if the descriptor is wrong
    public static Declarations read(byte[] bytes, String file, String kind)
            throws DescriptorException {
        XmlReader.Document document = XmlReader.read(bytes, file);
        XmlElement root = document.root();
        if (!root.name().equals(kind)) {
            throw root.error("The root element is <%s>. Write <%s>.".formatted(root.name(), kind));
        }
        List<String> warnings = new ArrayList<>();
        DescriptorVersion version = DescriptorVersion.of(document, warnings);
        boolean complete = isComplete(root, warnings);
        Declarations declared =
                new Declarations(
                        new Declarations.Head(
                                new Origin(file, 0, 0), version, complete, ordering(root, kind)));
        declared.warnings.addAll(warnings);
        new WebXml(root, declared).read(kind);
        return declared;
    }

    /// Returns whether annotations do not count. The version does not matter (Servlet 6.1 §8.5).
    private static boolean isComplete(XmlElement root, List<String> warnings)
            throws DescriptorException {
        @Nullable String text = root.attributes().get("metadata-complete");
        String value = text == null ? "" : text.strip();
        String known = value.toLowerCase(Locale.ROOT);
        if (!known.equals(value) && (known.equals("true") || known.equals("false"))) {
            warnings.add(
                    root.error(
                                    "metadata-complete is \"%s\", which is taken for %s. Write it so."
                                            .formatted(value, known))
                            .getMessage());
        }
        return switch (known) {
            case "", "false", "0" -> false;
            case "true", "1" -> true;
            default ->
                    throw root.error(
                            "metadata-complete is \"%s\". Write true or false.".formatted(text));
        };
    }

    private static Ordering ordering(XmlElement root, String kind) throws DescriptorException {
        if (kind.equals(WEB_APP)) {
            @Nullable XmlElement absolute = root.child("absolute-ordering");
            return absolute == null
                    ? Ordering.NONE
                    : new Ordering.Absolute(List.copyOf(names(absolute)));
        }
        @Nullable String name = root.optional("name");
        @Nullable XmlElement ordering = root.child("ordering");
        Set<String> before = Set.of();
        Set<String> after = Set.of();
        if (ordering != null) {
            ordering.allowOnly(List.of("before", "after"));
            before = names(ordering.child("before"));
            after = names(ordering.child("after"));
        }
        return new Ordering.Relative(name == null ? "" : name, before, after);
    }

    /// Returns the names in order. Only the first of equal names counts (Servlet 6.1 §8.2.2).
    private static Set<String> names(@Nullable XmlElement parent) throws DescriptorException {
        Set<String> names = new LinkedHashSet<>();
        if (parent == null) {
            return names;
        }
        parent.allowOnly(List.of("name", "others"));
        parent.child("others"); // not twice
        for (XmlElement child : parent.children()) {
            names.add(child.name().equals("others") ? Ordering.OTHERS : child.value());
        }
        return names;
    }

    private void read(String kind) throws DescriptorException {
        Set<String> known = new LinkedHashSet<>(COMMON);
        known.addAll(kind.equals(WEB_APP) ? APP_ONLY : FRAGMENT_ONLY);
        known.addAll(NamingElements.REFERENCES.keySet());
        root.allowOnly(known);
        for (String once : ONCE) {
            root.child(once);
        }
        for (XmlElement element : root.children()) {
            if (!element(element) && !components.read(element) && !security.read(element)) {
                naming.read(element);
            }
        }
    }

    private boolean element(XmlElement element) throws DescriptorException {
        switch (element.name()) {
            case "display-name", "distributable", "deny-uncovered-http-methods" -> value(element);
            case "module-name" -> value(element);
            case "default-context-path" -> contextPath(element);
            case "request-character-encoding", "response-character-encoding" -> charset(element);
            case "context-param" -> ComponentElements.param(element, declared.contextParams);
            case "session-config" -> session(element);
            case "mime-mapping" -> {
                element.allowOnly(List.of("extension", "mime-type"));
                declared.mediaTypes.add(
                        element.required("extension").value().toLowerCase(Locale.ROOT),
                        element.required("mime-type").value(),
                        element.origin());
            }
            case "locale-encoding-mapping-list" -> {
                element.allowOnly(List.of("locale-encoding-mapping"));
                for (XmlElement mapping : element.children()) {
                    mapping.allowOnly(List.of("locale", "encoding"));
                    encoding(mapping.required("encoding"));
                    pair(mapping, "locale", "encoding", declared.localeEncodings);
                }
            }
            case "welcome-file-list" -> {
                element.allowOnly(List.of("welcome-file"));
                declared.welcomeList = true;
                for (XmlElement file : element.children()) {
                    welcomeFile(file);
                }
            }
            case "error-page" -> errorPage(element);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void value(XmlElement element) {
        declared.values.add(element.name(), element.value(), element.origin());
    }

    private static void pair(
            XmlElement element, String name, String value, Settings<String> settings)
            throws DescriptorException {
        settings.add(
                element.required(name).value(), element.required(value).value(), element.origin());
    }

    /// §14.4: a path that begins with a slash and does not end with one; the root's is empty.
    private void contextPath(XmlElement element) throws DescriptorException {
        String path = element.value();
        if (path.equals("/")) {
            path = "";
        } else if (!path.startsWith("/") || path.endsWith("/")) {
            throw element.error(
                    "<default-context-path> is \"%s\". Begin it with \"/\", and do not end it so."
                            .formatted(path));
        }
        declared.values.add(element.name(), path, element.origin());
    }

    private void charset(XmlElement element) throws DescriptorException {
        encoding(element);
        value(element);
    }

    private static void encoding(XmlElement element) throws DescriptorException {
        try {
            Charset.forName(element.value());
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            DescriptorException wrong =
                    element.error(
                            "The encoding \"%s\" is not known. Write for example UTF-8."
                                    .formatted(element.value()));
            wrong.initCause(unknown);
            throw wrong;
        }
    }

    /// Adds a welcome file. An empty one, or the slash that no file has (§10.10), names none:
    /// applications write it to be without the default ones.
    private void welcomeFile(XmlElement file) throws DescriptorException {
        String path = file.value();
        if (path.startsWith("/")) {
            path = path.substring(1);
        }
        if (path.isEmpty()) {
            return;
        }
        if (path.endsWith("/")) {
            throw file.error(
                    "The welcome file \"%s\" is no file name. Write for example index.html."
                            .formatted(file.value()));
        }
        declared.welcomeFiles.add(path);
    }

    private void errorPage(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("error-code", "exception-type", "location"));
        @Nullable XmlElement code = element.child("error-code");
        @Nullable XmlElement type = element.child("exception-type");
        if (code != null && type != null) {
            throw element.error(
                    "<error-page> has both <error-code> and <exception-type>. Keep one.");
        }
        XmlElement location = element.required("location");
        String path = location.value();
        if (!path.startsWith("/")) {
            if (!declared.head.version().isBefore(2, 4)) {
                throw location.error(
                        "The location \"%s\" does not begin with \"/\". Write \"/%s\"."
                                .formatted(path, path));
            }
            path = "/" + path;
        }
        String key = "";
        if (code != null) {
            key = Long.toString(code.number(100, 999));
        } else if (type != null) {
            key = element.required("exception-type").value();
        }
        declared.errorPages.add(key, path, element.origin());
    }

    private void session(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("session-timeout", "cookie-config", "tracking-mode"));
        @Nullable XmlElement timeout = element.child("session-timeout");
        if (timeout != null) {
            long minutes = timeout.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            declared.values.add("session-timeout", Long.toString(minutes), timeout.origin());
        }
        List<String> modes = new ArrayList<>();
        for (XmlElement mode : element.children("tracking-mode")) {
            if (!Set.of("COOKIE", "URL", "SSL").contains(mode.value())) {
                throw mode.error(
                        "The tracking mode \"%s\" is not known. Write COOKIE, URL or SSL."
                                .formatted(mode.value()));
            }
            modes.add(mode.value());
        }
        if (!modes.isEmpty()) {
            declared.values.add("tracking-mode", String.join(",", modes), element.origin());
        }
        @Nullable XmlElement cookie = element.child("cookie-config");
        if (cookie != null) {
            cookie(cookie);
        }
    }

    private void cookie(XmlElement cookie) throws DescriptorException {
        cookie.allowOnly(
                List.of(
                        "name",
                        "domain",
                        "path",
                        "comment",
                        "http-only",
                        "secure",
                        "max-age",
                        "attribute"));
        for (XmlElement element : cookie.children()) {
            cookie.child(element.name().equals("attribute") ? "name" : element.name()); // not twice
            switch (element.name()) {
                case "name" -> cookieValue("name", element, element.value());
                case "domain" -> cookieValue("Domain", element, element.value());
                case "path" -> cookieValue("Path", element, element.value());
                case "http-only" -> cookieValue("HttpOnly", element, flag(element));
                case "secure" -> cookieValue("Secure", element, flag(element));
                case "max-age" -> cookieValue("Max-Age", element, Long.toString(maxAge(element)));
                case "attribute" -> {
                    element.allowOnly(List.of("description", "attribute-name", "attribute-value"));
                    String name = element.required("attribute-name").value();
                    @Nullable String value = element.optional("attribute-value");
                    cookieValue(name, element, value == null ? "" : value);
                }
                default -> {
                    // A comment has no effect (Servlet 6.1, Cookie.setComment).
                }
            }
        }
    }

    private static String flag(XmlElement element) throws DescriptorException {
        return Boolean.toString(element.flag());
    }

    private static long maxAge(XmlElement element) throws DescriptorException {
        return element.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private void cookieValue(String attribute, XmlElement element, String value)
            throws DescriptorException {
        if (!CookieSyntax.isAllowed(attribute, value)) {
            throw element.error(
                    "A cookie cannot have %s \"%s\". Remove the characters that RFC 6265 forbids."
                            .formatted(attribute, value));
        }
        String key = attribute.equals("name") ? "cookie-name" : "cookie:" + canonical(attribute);
        declared.values.add(key, value, element.origin());
    }

    private static String canonical(String attribute) {
        for (String known :
                List.of("Domain", "Path", "HttpOnly", "Secure", "Max-Age", "SameSite")) {
            if (known.equalsIgnoreCase(attribute)) {
                return known;
            }
        }
        return attribute;
    }
}
