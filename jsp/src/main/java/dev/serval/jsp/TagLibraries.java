package dev.serval.jsp;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Finds the tag library descriptors of an application and the listeners that they declare (Pages
/// 4.0 §7.1.9, §7.3.1). Looks only into the application: WEB-INF, the jars in WEB-INF/lib, and the
/// places that web.xml names. Used once, by the thread that deploys.
///
/// Jasper reads the descriptors again when the first page is shown. Reading the listeners here lets
/// an application start without Jasper.
final class TagLibraries {
    private static final String TLD = ".tld";
    private static final String LISTENER = "listener-class";

    private final PageSetup app;
    private final PageLimits limits;
    private final Map<String, List<String>> byPlace = new LinkedHashMap<>();

    private TagLibraries(PageSetup app, PageLimits limits) {
        this.app = app;
        this.limits = limits;
    }

    /// Returns the names of the listener classes, without repetitions of a descriptor.
    ///
    /// @throws PageException if a descriptor cannot be read
    static List<String> listeners(PageSetup app, PageLimits limits) throws PageException {
        TagLibraries libraries = new TagLibraries(app, limits);
        for (String location : app.taglibs()) {
            libraries.declared(location.startsWith("/") ? location : "/WEB-INF/" + location);
        }
        libraries.webInf();
        for (Path jar : app.jars()) {
            libraries.jar(jar, "META-INF/");
        }
        return libraries.byPlace.values().stream().flatMap(List::stream).toList();
    }

    private void declared(String location) throws PageException {
        Path file = app.root().resolve(location.substring(1)).normalize();
        if (!file.startsWith(app.root()) || !Files.isRegularFile(file)) {
            return; // Jasper warns when the first page is shown
        }
        if (location.endsWith(".jar")) {
            jar(file, "META-INF/taglib.tld");
        } else {
            file(file);
        }
    }

    private void webInf() throws PageException {
        Path folder = app.root().resolve("WEB-INF");
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> walk = Files.walk(folder)) {
            found =
                    walk.filter(file -> isLibrary(folder.relativize(file).toString()))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new PageException("WEB-INF: a folder cannot be read: " + e, e);
        }
        for (Path file : found) {
            file(file);
        }
    }

    /// Returns whether Pages 4.0 §7.3.1 lets a file below WEB-INF be a tag library descriptor.
    private static boolean isLibrary(String path) {
        boolean inTags = path.startsWith("tags/");
        return path.endsWith(TLD)
                && !path.startsWith("classes/")
                && !path.startsWith("lib/")
                && (!inTags || path.endsWith("/implicit.tld"));
    }

    private void file(Path file) throws PageException {
        String place = app.root().relativize(file).toString();
        if (byPlace.containsKey(place)) {
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            add(place, in);
        } catch (IOException e) {
            throw new PageException(place + ": the tag library cannot be read: " + e, e);
        }
    }

    private void jar(Path jar, String prefix) throws PageException {
        String name = "WEB-INF/lib/" + jar.getFileName();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String place = name + "!/" + entry.getName();
                if (entry.getName().startsWith(prefix)
                        && entry.getName().endsWith(TLD)
                        && !byPlace.containsKey(place)) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        add(place, in);
                    }
                }
            }
        } catch (IOException e) {
            throw new PageException(name + ": a tag library in the jar cannot be read: " + e, e);
        }
    }

    private void add(String place, InputStream in) throws IOException, PageException {
        if (byPlace.size() >= limits.tldsMax()) {
            throw new PageException(
                    place
                            + ": the application has more than "
                            + limits.tldsMax()
                            + " tag library descriptors: remove those that it does not use",
                    null);
        }
        byte[] content = in.readNBytes(limits.tldMaxBytes() + 1);
        if (content.length > limits.tldMaxBytes()) {
            throw new PageException(
                    place
                            + ": the tag library descriptor has more than "
                            + limits.tldMaxBytes()
                            + " bytes: split it",
                    null);
        }
        byPlace.put(place, mayHaveListeners(content) ? parse(place, content) : List.of());
    }

    /// Returns whether the XML must be parsed. Most descriptors declare no listener.
    private static boolean mayHaveListeners(byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        return text.contains(LISTENER) || text.indexOf('\0') >= 0; // or in UTF-16
    }

    private static List<String> parse(String place, byte[] content) throws PageException {
        List<String> listeners = new ArrayList<>();
        try {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            XMLStreamReader reader =
                    factory.createXMLStreamReader(new ByteArrayInputStream(content));
            while (reader.hasNext()) {
                if (reader.next() == XMLStreamConstants.START_ELEMENT
                        && reader.getLocalName().equals(LISTENER)) {
                    listeners.add(reader.getElementText().strip());
                }
            }
            reader.close();
        } catch (XMLStreamException e) {
            throw new PageException(
                    place
                            + ":"
                            + e.getLocation().getLineNumber()
                            + ": the tag library descriptor is not well-formed XML: "
                            + e.getMessage(),
                    e);
        } catch (MissingResourceException e) { // the JDK's parser has no text for some faults
            throw new PageException(
                    place + ": the tag library descriptor is not well-formed XML.", e);
        }
        return listeners;
    }
}
