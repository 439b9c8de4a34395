package dev.serval.examples.osp.message;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads messages. There is no document type and no entity but the five of XML, so a message cannot
/// make the server read or expand anything. Size, depth and number of elements are limited. Safe for
/// several threads.
///
/// A message that cannot be read is a value, not an exception: its status says what is wrong.
public final class MessageReader {
    private static final char REPLACEMENT = '\uFFFD';
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final MessageLimits limits;
    private final XMLInputFactory factory;

    /// Creates a reader. The factory is expensive, so a server has one reader.
    public MessageReader(MessageLimits limits) {
        this.limits = limits;
        factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    }

    /// Reads one message.
    public OspMessage read(byte[] bytes) {
        if (bytes.length > limits.messageMaxBytes()) {
            return fault(
                    OspStatus.BAD_REQUEST,
                    "the message has "
                            + bytes.length
                            + " bytes, at most "
                            + limits.messageMaxBytes()
                            + " are allowed");
        }
        String text = decode(bytes);
        if (text == null) {
            return fault(OspStatus.CHARACTER_ENCODING, "the message is not UTF-8");
        }
        Parse parse = new Parse(limits);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            String encoding = reader.getCharacterEncodingScheme();
            if (encoding != null && !isUtf8(encoding)) {
                return fault(
                        OspStatus.CHARACTER_ENCODING,
                        "the encoding must be UTF-8, not " + encoding);
            }
            parse.run(reader);
            reader.close();
        } catch (XMLStreamException e) {
            Location place = e.getLocation();
            parse.fail(
                    OspStatus.PARSE_FAILED, place == null ? "" : "line " + place.getLineNumber());
        } catch (MissingResourceException e) { // the JDK's parser has no text for some faults
            parse.fail(OspStatus.PARSE_FAILED, "");
        }
        return parse.message();
    }

    /// Reads any document into its elements, such as the content of a token.
    ///
    /// @return null if it is not well-formed or breaks a limit
    public @Nullable Element tree(byte[] bytes) {
        String text = bytes.length > limits.messageMaxBytes() ? null : decode(bytes);
        if (text == null) {
            return null;
        }
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            Element root = new Element("", "", false);
            Deque<Element> open = new ArrayDeque<>(List.of(root));
            StringBuilder content = new StringBuilder();
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (open.size() > limits.depthMax()) {
                            return null;
                        }
                        Element element = element(reader);
                        open.element().add(element);
                        open.push(element);
                        content.setLength(0);
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        open.pop().complete(content.toString().strip());
                        content.setLength(0);
                    }
                    case XMLStreamConstants.CHARACTERS -> content.append(reader.getText());
                    case XMLStreamConstants.DTD -> {
                        return null;
                    }
                    default -> {}
                }
            }
            return root.first();
        } catch (XMLStreamException | MissingResourceException e) {
            return null;
        }
    }

    private static Element element(XMLStreamReader reader) {
        String type = reader.getAttributeValue(null, "type");
        String encoding = reader.getAttributeValue(null, "encoding");
        return new Element(
                reader.getLocalName(), type == null ? "" : type, "base64".equals(encoding));
    }

    private static OspMessage fault(OspStatus status, String detail) {
        return new OspMessage("0", List.of(), status, detail);
    }

    private static boolean isUtf8(String encoding) {
        String name = encoding.toUpperCase(Locale.ROOT);
        return name.equals("UTF-8") || name.equals("US-ASCII") || name.equals("ASCII");
    }

    /// Returns the text, or null if the bytes are not UTF-8.
    private static @Nullable String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            try {
                text =
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .decode(ByteBuffer.wrap(bytes))
                                .toString();
            } catch (CharacterCodingException e) {
                return null;
            }
        }
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    /// The state of one message while it is read.
    private static final class Parse {
        private final MessageLimits limits;
        private final List<Component> components = new ArrayList<>();
        private final Deque<Element> open = new ArrayDeque<>();
        private final StringBuilder text = new StringBuilder();
        private String messageId = "0";
        private OspStatus status = OspStatus.SUCCESS;
        private String detail = "";
        private int elements;
        private int depth;
        private @Nullable ComponentKind kind;
        private String componentId = "0";
        private String unknown = "";

        /// The depth of an element that is ignored with all inside it; 0 if there is none.
        private int ignored;

        Parse(MessageLimits limits) {
            this.limits = limits;
        }

        void fail(OspStatus failure, String why) {
            if (status == OspStatus.SUCCESS) {
                status = failure;
                detail = why;
            }
        }

        OspMessage message() {
            if (status == OspStatus.SUCCESS && components.isEmpty()) {
                fail(OspStatus.BAD_REQUEST, "the message has no component");
            }
            if (status != OspStatus.SUCCESS && kind != null) {
                components.add(
                        new Component(kind, componentId, new Element("", "", false), unknown));
            }
            return new OspMessage(messageId, List.copyOf(components), status, detail);
        }

        void run(XMLStreamReader reader) throws XMLStreamException {
            while (reader.hasNext() && status == OspStatus.SUCCESS) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> start(reader);
                    case XMLStreamConstants.END_ELEMENT -> end();
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                            text.append(reader.getText());
                    case XMLStreamConstants.DTD ->
                            fail(
                                    OspStatus.PARSE_FAILED,
                                    "a document type is not allowed in a message");
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                            fail(OspStatus.PARSE_FAILED, "an entity is not allowed in a message");
                    default -> {}
                }
            }
        }

        private void start(XMLStreamReader reader) {
            depth++;
            elements++;
            if (depth > limits.depthMax()) {
                fail(
                        OspStatus.BAD_REQUEST,
                        "elements are nested more than " + limits.depthMax() + " deep");
            } else if (elements > limits.elementsMax()) {
                fail(
                        OspStatus.BAD_REQUEST,
                        "the message has more than " + limits.elementsMax() + " elements");
            } else if (depth == 1) {
                startMessage(reader);
            } else if (ignored == 0 && depth == 2) {
                startComponent(reader);
            } else if (ignored == 0) {
                startElement(reader);
            }
            text.setLength(0);
        }

        private void startMessage(XMLStreamReader reader) {
            if (!reader.getLocalName().equals("Message")) {
                fail(
                        OspStatus.BAD_REQUEST,
                        "the document is " + reader.getLocalName() + ", it must be Message");
                return;
            }
            messageId = id(reader, "messageId");
        }

        private void startComponent(XMLStreamReader reader) {
            String name = reader.getLocalName();
            ComponentKind found = ComponentKind.of(name);
            if (found == null && isOptional(reader)) {
                ignored = depth;
                return;
            }
            if (components.size() == limits.componentsMax()) {
                fail(
                        OspStatus.BAD_REQUEST,
                        "the message has more than " + limits.componentsMax() + " components");
                return;
            }
            kind = found == null ? ComponentKind.UNKNOWN : found;
            unknown = found == null ? name : "";
            componentId = id(reader, "componentId");
            open.push(new Element(name, "", false));
        }

        private void startElement(XMLStreamReader reader) {
            String name = reader.getLocalName();
            if (!Elements.isKnown(name) && kind != ComponentKind.UNKNOWN) {
                if (isOptional(reader)) {
                    ignored = depth;
                    return;
                }
                if (unknown.isEmpty()) {
                    unknown = name;
                }
            }
            Element element = element(reader);
            open.element().add(element);
            open.push(element);
        }

        private void end() {
            if (ignored > 0) {
                if (ignored == depth) {
                    ignored = 0;
                }
            } else if (depth >= 2) {
                Element element = open.pop();
                element.complete(text.toString().strip());
                if (depth == 2 && kind != null) {
                    components.add(new Component(kind, componentId, element, unknown));
                    kind = null;
                }
            }
            text.setLength(0);
            depth--;
        }

        private String id(XMLStreamReader reader, String attribute) {
            String value = reader.getAttributeValue(null, attribute);
            if (value == null || value.isBlank()) {
                fail(
                        OspStatus.BAD_REQUEST,
                        reader.getLocalName() + " has no attribute " + attribute);
                return "0";
            }
            if (value.length() > limits.idMaxChars()) {
                fail(
                        OspStatus.BAD_REQUEST,
                        attribute + " has more than " + limits.idMaxChars() + " characters");
                return "0";
            }
            return value;
        }

        private static boolean isOptional(XMLStreamReader reader) {
            return "false".equals(reader.getAttributeValue(null, "critical"));
        }
    }
}
