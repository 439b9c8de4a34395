package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Turns the bytes of a descriptor into elements that know their line and column. No external
/// entity is read and no entity is expanded but the five of XML; size, depth and number of elements
/// are limited.
public final class XmlReader {
    /// Limit of a descriptor. The mappings that a JSP compiler generates may take some megabytes.
    public static final int MAX_BYTES = 8 << 20;

    private static final int MAX_ELEMENTS = 200_000;
    private static final int MAX_LEVELS = 16;
    private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

    private final String file;
    private final XMLStreamReader reader;
    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable String doctype;
    private final List<String> lines;
    private int elements;

    private XmlReader(String file, XMLStreamReader reader, List<String> lines) {
        this.file = file;
        this.reader = reader;
        this.lines = lines;
    }

    /// A document.
    ///
    /// @param root its root element
    /// @param doctype its document type declaration; null if it has none
    record Document(XmlElement root, @Nullable String doctype) {}

    /// An element whose end tag is still to come.
    private static final class Open {
        private final String name;
        private final String namespace;
        private final Map<String, String> attributes;
        private final Origin origin;
        private final StringBuilder text = new StringBuilder();
        private final List<XmlElement> children = new ArrayList<>();

        private Open(XMLStreamReader reader, Origin origin) {
            name = reader.getLocalName();
            @Nullable String uri = reader.getNamespaceURI();
            namespace = uri == null ? "" : uri;
            attributes = attributes(reader);
            this.origin = origin;
        }

        private static Map<String, String> attributes(XMLStreamReader reader) {
            Map<String, String> attributes = new LinkedHashMap<>();
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                @Nullable String namespace = reader.getAttributeNamespace(i);
                if (namespace == null || namespace.isEmpty()) {
                    attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                }
            }
            return Collections.unmodifiableMap(attributes);
        }

        private XmlElement close() {
            return new XmlElement(
                    name, namespace, attributes, text.toString(), List.copyOf(children), origin);
        }
    }

    /// Reads a document.
    ///
    /// @param file the name for messages, for example `WEB-INF/web.xml`
    /// @throws DescriptorException if the bytes are not well-formed XML or above a limit
    static Document read(byte[] bytes, String file) throws DescriptorException {
        if (bytes.length > MAX_BYTES) {
            throw new DescriptorException(
                    new Origin(file, 0, 0),
                    "The descriptor is larger than %d bytes. Make it smaller."
                            .formatted(MAX_BYTES));
        }
        try {
            XMLStreamReader reader =
                    factory().createXMLStreamReader(new ByteArrayInputStream(bytes));
            try {
                return new XmlReader(file, reader, lines(bytes, reader.getEncoding())).document();
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw malformed(file, e);
        } catch (RuntimeException e) {
            // The JDK's parser lets a few faults of a document escape as unchecked exceptions.
            throw new DescriptorException(
                    new Origin(file, 0, 0), "The descriptor is not XML. Correct it.", e);
        }
    }

    /// Returns the lines of a document; none if its encoding is not known.
    private static List<String> lines(byte[] bytes, @Nullable String encoding) {
        try {
            String text = new String(bytes, Charset.forName(encoding == null ? "UTF-8" : encoding));
            return List.of(LINE_END.split(text, -1));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return List.of();
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setXMLResolver((publicId, systemId, baseUri, namespace) -> {
            throw new XMLStreamException("External entities are not read");
        });
        return factory;
    }

    private static DescriptorException malformed(String file, XMLStreamException e) {
        @Nullable Location location = e.getLocation();
        Origin origin =
                location == null
                        ? new Origin(file, 0, 0)
                        : new Origin(
                                file,
                                Math.max(0, location.getLineNumber()),
                                Math.max(0, location.getColumnNumber()));
        @Nullable String message = e.getMessage();
        String reason = message == null ? "" : message;
        int begin = reason.indexOf("Message: ");
        return new DescriptorException(
                origin,
                "The descriptor is not well-formed XML: %s Correct it."
                        .formatted(begin < 0 ? reason : reason.substring(begin + 9)),
                e);
    }

    private Document document() throws XMLStreamException, DescriptorException {
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.DTD -> doctype = reader.getText();
                case XMLStreamConstants.START_ELEMENT -> start();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text();
                case XMLStreamConstants.ENTITY_REFERENCE ->
                        throw new DescriptorException(
                                new Origin(file, reader.getLocation().getLineNumber(), 0),
                                "The entity \"%s\" is not expanded. Write its text."
                                        .formatted(reader.getLocalName()));
                case XMLStreamConstants.END_ELEMENT -> {
                    XmlElement closed = open.removeLast().close();
                    if (open.isEmpty()) {
                        return new Document(closed, doctype);
                    }
                    open.getLast().children.add(closed);
                }
                default -> {
                    // Comments and processing instructions mean nothing.
                }
            }
        }
        throw new DescriptorException(
                new Origin(file, 0, 0), "The descriptor has no element. Add <web-app>.");
    }

    private void start() throws DescriptorException {
        Origin origin = begin();
        if (++elements > MAX_ELEMENTS) {
            throw new DescriptorException(
                    origin,
                    "The descriptor has more than %d elements. Make it smaller."
                            .formatted(MAX_ELEMENTS));
        }
        if (open.size() >= MAX_LEVELS) {
            throw new DescriptorException(
                    origin, "The elements are nested too deeply. Make the descriptor flatter.");
        }
        open.add(new Open(reader, origin));
    }

    /// Returns where the start tag begins whose end the parser has reached. A tag contains no
    /// second `<`, so that it begins at the last one.
    private Origin begin() {
        Location end = reader.getLocation();
        int line = Math.min(end.getLineNumber(), lines.size());
        int column = end.getColumnNumber() - 1;
        while (line > 0) {
            int begin = lines.get(line - 1).lastIndexOf('<', column - 1);
            if (begin >= 0) {
                return new Origin(file, line, begin + 1);
            }
            line--;
            column = Integer.MAX_VALUE;
        }
        return new Origin(file, Math.max(0, end.getLineNumber()), 0);
    }

    private void text() {
        if (!open.isEmpty()) {
            open.getLast().text.append(reader.getText());
        }
    }
}
