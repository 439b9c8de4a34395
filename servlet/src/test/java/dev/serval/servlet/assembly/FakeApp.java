package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDescription;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.scan.AnnotationScan;
import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.scan.ScanCache;
import dev.serval.servlet.scan.ScanLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An application in memory, and its reader.
public final class FakeApp implements AppSource {
    /// Loads each schema once for all tests.
    private static final AppReader READER =
            new AppReader(
                    new AnnotationScan(Runnable::run, ScanCache.NONE, ScanLimits.defaults()),
                    ScanCache.NONE);

    final FakeJar classes = new FakeJar("WEB-INF/classes");
    private final List<FakeJar> jars = new ArrayList<>();
    private @Nullable String webXml;

    /// Sets a web.xml of version 6.1 with these elements.
    FakeApp web(String elements) {
        return web("", elements);
    }

    FakeApp web(String attributes, String elements) {
        return webXml(
                "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.1\" %s>%s</web-app>"
                        .formatted(attributes, elements));
    }

    public FakeApp webXml(String document) {
        webXml = document;
        return this;
    }

    /// Adds the jar WEB-INF/lib/NAME.jar.
    FakeJar jar(String name) {
        FakeJar jar = new FakeJar("WEB-INF/lib/" + name + ".jar");
        jars.add(jar);
        return jar;
    }

    AssembledApp assemble() throws DescriptorException, IOException {
        return READER.read(this);
    }

    public AppDraft draft() throws DescriptorException, IOException {
        return assemble().draft();
    }

    AppDescription description() throws DescriptorException, IOException {
        return draft().freeze();
    }

    ServletDescription servlet(String name) throws DescriptorException, IOException {
        return description().servlets().stream()
                .filter(servlet -> servlet.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    FilterDescription filter(String name) throws DescriptorException, IOException {
        return description().filters().stream()
                .filter(filter -> filter.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Returns the message with which the application is refused.
    String refusal() throws IOException {
        try {
            description();
        } catch (DescriptorException e) {
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("The application was not refused");
    }

    @Override
    public byte @Nullable [] file(String path, int maxBytes) {
        return path.equals("WEB-INF/web.xml") && webXml != null
                ? webXml.getBytes(StandardCharsets.UTF_8)
                : null;
    }

    @Override
    public ClassFiles classes() {
        return classes;
    }

    @Override
    public List<FakeJar> jars() {
        return jars;
    }
}
