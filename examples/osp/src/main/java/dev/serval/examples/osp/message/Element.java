package dev.serval.examples.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An element of a message. Used only while its message is answered.
public final class Element {
    private final String name;
    private final String type;
    private final boolean base64;
    private final List<Element> children = new ArrayList<>();
    private String text = "";

    /// Creates an element.
    ///
    /// @param type the attribute `type`, or empty
    /// @param base64 whether the attribute `encoding` says that the text is base64
    Element(String name, String type, boolean base64) {
        this.name = name;
        this.type = type;
        this.base64 = base64;
    }

    /// Returns an element without name, text or children.
    public static Element none() {
        return new Element("", "", false);
    }

    void add(Element child) {
        children.add(child);
    }

    /// Sets the text at the end of the element.
    void complete(String stripped) {
        text = stripped;
    }

    /// Adds this element and all inside it. The reader limits the depth.
    void addTo(ComponentDigest digest) {
        digest.add(name);
        digest.add(type);
        digest.add(base64 ? 1 : 0);
        digest.add(text);
        digest.add(children.size());
        for (Element child : children) {
            child.addTo(digest);
        }
    }

    /// Returns the name.
    public String name() {
        return name;
    }

    /// Returns the attribute `type`, such as `e164`, or empty.
    public String type() {
        return type;
    }

    /// Returns the text without the white space around it.
    public String text() {
        return text;
    }

    @Nullable Element first() {
        return children.isEmpty() ? null : children.getFirst();
    }

    /// Returns the first child of this name, or null.
    public @Nullable Element child(String childName) {
        for (Element child : children) {
            if (child.name.equals(childName)) {
                return child;
            }
        }
        return null;
    }

    /// Returns all children of this name in their order.
    public List<Element> children(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).toList();
    }

    /// Returns the text of the first child of this name; empty if there is none.
    public String text(String childName) {
        Element child = child(childName);
        return child == null ? "" : child.text;
    }

    /// Returns the text of the first child of this name and this type; empty if there is none.
    public String text(String childName, String childType) {
        for (Element child : children) {
            if (child.name.equals(childName) && child.type.equals(childType)) {
                return child.text;
            }
        }
        return "";
    }

    /// Returns the text as base64: as it is if it is encoded, else encoded now.
    ///
    /// @return null if the text says that it is base64 and is not
    public @Nullable String base64() {
        if (!base64) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
        try {
            // Long values have line breaks, which the MIME form allows.
            return Base64.getEncoder().encodeToString(Base64.getMimeDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
