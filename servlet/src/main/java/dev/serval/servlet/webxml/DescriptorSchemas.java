package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.Servlet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/// Checks descriptors against the schemas that lie in the API's jar. Nothing else is read: a schema
/// that is not in the jar is an error, not a download. Owned by one thread.
public final class DescriptorSchemas {
    /// Whether the JDK looks for mistakes in the schema itself, which takes longest. The schemas are
    /// the published ones.
    private static final String FULL_CHECKING =
            "http://apache.org/xml/features/validation/schema-full-checking";

    private static final String FOLDER = "/jakarta/servlet/resources/";

    /// No handler exists for this scheme, so that the JDK can open nothing by itself.
    private static final String SCHEME = "serval";

    /// The attributes of XML itself that the schemas refer to. The API's jar does not have them.
    private static final String XML_ATTRIBUTES =
            """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
                targetNamespace="http://www.w3.org/XML/1998/namespace">
              <xs:attribute name="lang" type="xs:language"/>
            </xs:schema>
            """;

    private static final Pattern RULE = Pattern.compile("^[a-z]+-[A-Za-z0-9.-]+: ");
    private static final Pattern MISPLACED =
            Pattern.compile(
                    "^cvc-complex-type\\.2\\.4\\.[ad]: .*? element '\\{?(?:\"[^\"]*\":)?([\\w.-]+)\\}?'");
    private static final Pattern INCLUDED = Pattern.compile("schemaLocation=\"([^\"/]+)\"");
    private static final Pattern QUALIFIED = Pattern.compile("\"[^\"{}]*\":");

    private final Map<String, Schema> schemas = new HashMap<>();

    /// Checks a descriptor.
    ///
    /// @param bytes its content
    /// @param file its name for messages
    /// @param root `web-app` or `web-fragment`
    /// @param version its version
    /// @return what breaks the schema. Other servers accept it, and the reader, which must have read the
    ///     descriptor before, has refused what has no meaning
    /// @throws DescriptorException if the descriptor cannot be checked
    List<String> check(byte[] bytes, String file, String root, DescriptorVersion version)
            throws DescriptorException {
        String schemaFile = "%s_%d_%d.xsd".formatted(root, version.major(), version.minor());
        try {
            Schema schema = schema(schemaFile);
            Validator validator = schema.newValidator();
            validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            validator.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            Errors errors = new Errors(file, schemaFile);
            validator.setErrorHandler(errors);
            validator.validate(new StreamSource(new ByteArrayInputStream(bytes)));
            return List.copyOf(errors.warnings.values());
        } catch (SAXParseException e) {
            Origin origin =
                    new Origin(
                            file, Math.max(0, e.getLineNumber()), Math.max(0, e.getColumnNumber()));
            throw new DescriptorException(
                    origin,
                    "The descriptor does not follow %s: %s Correct it."
                            .formatted(schemaFile, plain(e.getMessage())),
                    e);
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new DescriptorException(
                    new Origin(file, 0, 0),
                    "The descriptor cannot be checked against %s. Check the API's jar."
                            .formatted(schemaFile),
                    e);
        }
    }

    /// Removes the rule's number and the namespaces from a message of the JDK.
    private static String plain(@Nullable String message) {
        String text = message == null ? "" : message;
        text = RULE.matcher(text).replaceFirst("");
        return QUALIFIED.matcher(text).replaceAll("");
    }

    private Schema schema(String file)
            throws SAXException, IOException, ParserConfigurationException {
        @Nullable Schema known = schemas.get(file);
        if (known != null) {
            return known;
        }
        DOMImplementationLS inputs = inputs();
        SchemaFactory factory = SchemaFactory.newDefaultInstance();
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, SCHEME);
        factory.setFeature(FULL_CHECKING, false);
        factory.setResourceResolver(
                (type, namespace, publicId, systemId, base) -> input(inputs, systemId));
        try (InputStream main = open(file)) {
            Schema schema = factory.newSchema(new StreamSource(main, SCHEME + ":/" + file));
            schemas.put(file, schema);
            return schema;
        }
    }

    private static DOMImplementationLS inputs() throws ParserConfigurationException {
        return (DOMImplementationLS)
                DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .getDOMImplementation()
                        .getFeature("LS", "3.0");
    }

    private static LSInput input(DOMImplementationLS inputs, @Nullable String systemId) {
        String file = systemId == null ? "" : systemId.substring(systemId.lastIndexOf('/') + 1);
        LSInput input = inputs.createLSInput();
        input.setSystemId(SCHEME + ":/" + file);
        @Nullable InputStream found =
                file.equals("xml.xsd")
                        ? new ByteArrayInputStream(XML_ATTRIBUTES.getBytes(StandardCharsets.UTF_8))
                        : Servlet.class.getResourceAsStream(FOLDER + file);
        // An empty schema fails with a message that names the file.
        input.setByteStream(found == null ? InputStream.nullInputStream() : found);
        return input;
    }

    private static InputStream open(String file) throws IOException {
        @Nullable InputStream in = Servlet.class.getResourceAsStream(FOLDER + file);
        if (in == null) {
            throw new IOException("The schema " + file + " is not in the API's jar");
        }
        return in;
    }

    /// Returns whether a schema, or one that it includes, declares an element of this name.
    private static boolean declares(String schemaFile, String element, Set<String> seen) {
        if (!seen.add(schemaFile)) {
            return false;
        }
        String text;
        try (InputStream in = open(schemaFile)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return false; // xml.xsd, which declares no elements
        }
        if (text.contains("name=\"" + element + "\"")) {
            return true;
        }
        return INCLUDED.matcher(text)
                .results()
                .anyMatch(found -> declares(found.group(1), element, seen));
    }

    /// Collects the errors, one for each place, because the JDK reports a wrong value twice.
    private static final class Errors implements ErrorHandler {
        private final String file;
        private final String schemaFile;
        private final Map<String, String> warnings = new LinkedHashMap<>();

        Errors(String file, String schemaFile) {
            this.file = file;
            this.schemaFile = schemaFile;
        }

        @Override
        public void warning(SAXParseException warning) {}

        @Override
        public void error(SAXParseException error) {
            String place =
                    "%s:%d:%d: ".formatted(file, error.getLineNumber(), error.getColumnNumber());
            warnings.putIfAbsent(place, place + text(String.valueOf(error.getMessage())));
        }

        private String text(String message) {
            Matcher found = MISPLACED.matcher(message);
            return found.find() && declares(schemaFile, found.group(1), new HashSet<>())
                    ? "The element <%s> is in another place than %s allows. It counts anyway. %s"
                            .formatted(found.group(1), schemaFile, plain(message))
                    : "The descriptor does not follow %s: %s Correct it."
                            .formatted(schemaFile, plain(message));
        }

        @Override
        public void fatalError(SAXParseException error) throws SAXParseException {
            throw error;
        }
    }
}
