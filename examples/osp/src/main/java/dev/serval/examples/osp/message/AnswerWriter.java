package dev.serval.examples.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes answers as XML text. Every value that comes from outside is escaped. Stateless.
public final class AnswerWriter {
    private AnswerWriter() {}

    /// Returns a whole message.
    ///
    /// @param random the attribute `random`
    /// @param components the answer components as XML, in order
    public static byte[] message(String messageId, int random, List<String> components) {
        int size = 100 + messageId.length();
        for (String component : components) {
            size += component.length();
        }
        StringBuilder out = new StringBuilder(size);
        out.append("<?xml version=\"1.0\"?>\n<Message messageId=\"");
        escape(out, messageId);
        out.append("\" random=\"").append(random & Integer.MAX_VALUE).append("\">\n");
        components.forEach(out::append);
        out.append("</Message>\n");
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Returns a component with a time and a status only.
    public static String status(Component component, String time, OspStatus status) {
        StringBuilder out = begin(component, time, status, "");
        end(out, component);
        return out.toString();
    }

    /// Returns the beginning of a component, up to its status.
    ///
    /// @param detail is added to the description of the status
    public static StringBuilder begin(
            Component component, String time, OspStatus status, String detail) {
        StringBuilder out = new StringBuilder(256);
        out.append('<').append(component.kind().answer()).append(" componentId=\"");
        escape(out, component.id());
        out.append("\">\n");
        element(out, "Timestamp", time);
        if (component.kind() == ComponentKind.CAPABILITIES_INDICATION) {
            element(out, "OSPVersion", "2.1.1");
        }
        out.append("<Status><Code>").append(status.code()).append("</Code><Description>");
        out.append(status.text());
        if (!detail.isEmpty()) {
            out.append(": ");
            escape(out, detail);
        }
        return out.append("</Description></Status>\n");
    }

    /// Ends a component.
    public static void end(StringBuilder out, Component component) {
        out.append("</").append(component.kind().answer()).append(">\n");
    }

    /// Adds an element with text.
    public static void element(StringBuilder out, String name, String text) {
        out.append('<').append(name).append('>');
        escape(out, text);
        out.append("</").append(name).append(">\n");
    }

    /// Adds an element with one attribute and text.
    public static void element(
            StringBuilder out, String name, String attribute, String value, String text) {
        out.append('<').append(name).append(' ').append(attribute).append("=\"");
        escape(out, value);
        out.append("\">");
        escape(out, text);
        out.append("</").append(name).append(">\n");
    }

    /// Adds text in which the signs of XML are replaced, and control characters left out.
    public static void escape(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> {
                    if (c >= ' ' || c == '\n' || c == '\t') {
                        out.append(c);
                    }
                }
            }
        }
    }
}
