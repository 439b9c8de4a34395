package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The version of a descriptor (Servlet 6.1 §14). From 3.0 on, a descriptor is checked against its
/// schema; older ones, and those without namespace, only by our own reader.
///
/// @param major the major version of Servlet
/// @param minor the minor version
/// @param checked whether the descriptor has to follow its schema
public record DescriptorVersion(int major, int minor, boolean checked) {
    /// The version of an application without web.xml, or whose web.xml names no version.
    static final DescriptorVersion NEWEST = new DescriptorVersion(6, 1, false);

    private static final String J2EE = "http://java.sun.com/xml/ns/j2ee";
    private static final String JAVAEE = "http://java.sun.com/xml/ns/javaee";
    private static final String JCP = "http://xmlns.jcp.org/xml/ns/javaee";
    private static final String JAKARTA = "https://jakarta.ee/xml/ns/jakartaee";

    private record Known(String namespace, String version) {}

    private static final List<Known> KNOWN =
            List.of(
                    new Known(J2EE, "2.4"),
                    new Known(JAVAEE, "2.5"),
                    new Known(JAVAEE, "3.0"),
                    new Known(JCP, "3.1"),
                    new Known(JCP, "4.0"),
                    new Known(JAKARTA, "5.0"),
                    new Known(JAKARTA, "6.0"),
                    new Known(JAKARTA, "6.1"));

    /// Returns the version that a document names. It may be missing, or be one of another namespace, because
    /// other servers ignore both. Such a document has no schema.
    ///
    /// @param warnings gets a sentence about such a document
    /// @throws DescriptorException if there is no such version or namespace
    static DescriptorVersion of(XmlReader.Document document, List<String> warnings)
            throws DescriptorException {
        XmlElement root = document.root();
        @Nullable String version = root.attributes().get("version");
        if (root.namespace().isEmpty()) {
            return withoutNamespace(document, version);
        }
        if (version == null) {
            DescriptorException missing =
                    root.error(
                            "<%s> has no version. Add version=\"%s\"."
                                    .formatted(root.name(), newest(root.namespace())));
            warn(root, missing, warnings);
            return of(newest(root.namespace()), false);
        }
        for (Known known : KNOWN) {
            if (known.version().equals(version.strip())) {
                if (known.namespace().equals(root.namespace())) {
                    return of(known.version(), true);
                }
                DescriptorException mismatch =
                        root.error(
                                ("Version %s does not belong to the namespace \"%s\". "
                                                + "Write xmlns=\"%s\".")
                                        .formatted(version, root.namespace(), known.namespace()));
                warn(root, mismatch, warnings);
                return of(known.version(), false);
            }
        }
        throw root.error(
                "The version \"%s\" is not known. Servlet has 2.2 to 2.5, 3.0, 3.1, 4.0, 5.0, 6.0"
                                .formatted(version)
                        + " and 6.1.");
    }

    /// Adds a warning if the namespace is one of a descriptor.
    private static void warn(XmlElement root, DescriptorException wrong, List<String> warnings)
            throws DescriptorException {
        if (!isKnown(root.namespace())) {
            throw wrong;
        }
        warnings.add(wrong.getMessage());
    }

    private static boolean isKnown(String namespace) {
        return KNOWN.stream().anyMatch(known -> known.namespace().equals(namespace));
    }

    private static String newest(String namespace) {
        String newest = "6.1";
        for (Known known : KNOWN) {
            if (known.namespace().equals(namespace)) {
                newest = known.version();
            }
        }
        return newest;
    }

    /// Reads versions 2.2 and 2.3, which have a document type, and documents without any version.
    private static DescriptorVersion withoutNamespace(
            XmlReader.Document document, @Nullable String version) {
        @Nullable String doctype = document.doctype();
        if (doctype != null
                && (doctype.contains("Web Application 2.2") || doctype.contains("web-app_2_2"))) {
            return new DescriptorVersion(2, 2, false);
        }
        if (doctype != null
                && (doctype.contains("Web Application 2.3") || doctype.contains("web-app_2_3"))) {
            return new DescriptorVersion(2, 3, false);
        }
        if (version != null) {
            for (Known known : KNOWN) {
                if (known.version().equals(version.strip())) {
                    return of(known.version(), false);
                }
            }
        }
        return NEWEST;
    }

    private static DescriptorVersion of(String version, boolean named) {
        int major = version.charAt(0) - '0';
        int minor = version.charAt(2) - '0';
        return new DescriptorVersion(major, minor, named && major >= 3);
    }

    /// Returns whether this version is older than that one.
    boolean isBefore(int otherMajor, int otherMinor) {
        return major < otherMajor || (major == otherMajor && minor < otherMinor);
    }
}
