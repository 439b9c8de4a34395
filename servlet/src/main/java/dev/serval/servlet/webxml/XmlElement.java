package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An element of a descriptor, with the place where it begins. Immutable.
///
/// @param name the local name
/// @param namespace empty for none
/// @param attributes those without namespace, by name
/// @param text its own text, without that of its children
/// @param children in the order of the document
/// @param origin where its start tag begins
record XmlElement(
        String name,
        String namespace,
        Map<String, String> attributes,
        String text,
        List<XmlElement> children,
        Origin origin) {
    /// Returns the text without white space at its ends.
    String value() {
        return text.strip();
    }

    /// Returns the children of that name.
    List<XmlElement> children(String childName) {
        List<XmlElement> found = new ArrayList<>();
        for (XmlElement child : children) {
            if (child.name.equals(childName)) {
                found.add(child);
            }
        }
        return found;
    }

    /// Returns the values of the children of that name.
    List<String> values(String childName) {
        return children(childName).stream().map(XmlElement::value).toList();
    }

    /// Returns the only child of that name; null if there is none.
    ///
    /// @throws DescriptorException if there are several
    @Nullable XmlElement child(String childName) throws DescriptorException {
        @Nullable XmlElement found = null;
        for (XmlElement child : children) {
            if (child.name.equals(childName)) {
                if (found != null) {
                    throw child.error(
                            "<%s> has more than one <%s>. Keep one.".formatted(name, childName));
                }
                found = child;
            }
        }
        return found;
    }

    /// Returns the value of the only child of that name; null if there is none.
    ///
    /// @throws DescriptorException if there are several
    @Nullable String optional(String childName) throws DescriptorException {
        @Nullable XmlElement child = child(childName);
        return child == null ? null : child.value();
    }

    /// Returns the only child of that name, which has a value.
    ///
    /// @throws DescriptorException if there is none, or it is empty, or there are several
    XmlElement required(String childName) throws DescriptorException {
        @Nullable XmlElement child = child(childName);
        if (child == null) {
            throw error("<%s> has no <%s>. Add one.".formatted(name, childName));
        }
        if (child.value().isEmpty()) {
            throw child.error("<%s> is empty. Give it a value.".formatted(childName));
        }
        return child;
    }

    /// Refuses children whose names are not known, or that are of another namespace.
    ///
    /// @throws DescriptorException if there is one
    void allowOnly(Collection<String> known) throws DescriptorException {
        for (XmlElement child : children) {
            if (!child.namespace.equals(namespace)) {
                throw child.error(
                        "<%s> is of the namespace \"%s\", unlike <%s>. Remove it."
                                .formatted(child.name, child.namespace, name));
            }
            if (!known.contains(child.name)) {
                throw child.error(
                        "<%s> is not an element of <%s>. %s"
                                .formatted(child.name, name, remedy(child.name, known)));
            }
        }
    }

    private static String remedy(String wrong, Collection<String> known) {
        String nearest = "";
        int least = Math.max(2, wrong.length() / 4) + 1;
        for (String name : known) {
            int distance = distance(wrong, name, least);
            if (distance < least || (distance == least && name.compareTo(nearest) < 0)) {
                nearest = name;
                least = distance;
            }
        }
        return nearest.isEmpty() ? "Remove it." : "Did you mean <" + nearest + ">?";
    }

    /// Returns how many letters have to be added, removed or replaced, or a number above the limit.
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) > limit) {
            return limit + 1;
        }
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }

    /// Returns the value as a whole number.
    ///
    /// @throws DescriptorException if it is none, or out of range
    long number(long min, long max) throws DescriptorException {
        try {
            long number = Long.parseLong(value());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw (DescriptorException) wrongNumber(min, max).initCause(notANumber);
        }
        throw wrongNumber(min, max);
    }

    private DescriptorException wrongNumber(long min, long max) {
        return error(
                "<%s> is \"%s\", which is not a whole number from %d to %d. Correct it."
                        .formatted(name, value(), min, max));
    }

    /// Returns the value as a boolean. Old descriptors may say yes and no.
    ///
    /// @throws DescriptorException if it is none
    boolean flag() throws DescriptorException {
        return switch (value().toLowerCase(Locale.ROOT)) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw error("<%s> is \"%s\". Write true or false.".formatted(name, value()));
        };
    }

    /// Returns an exception that names the place of this element.
    DescriptorException error(String what) {
        return new DescriptorException(origin, what);
    }
}
